using System.Numerics;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Tests.Workloads;

public class GeneratorTests
{
    [Fact]
    public void Lran2_shuffles_its_congruential_sequence_through_a_table()
    {
        // With this seed the sequence starts from 0, so its n-th value is the increment times a geometric sum.
        var random = new Lran2(150_889);
        var table = Enumerable.Range(1, 97).Select(Congruential).ToArray();
        var last = Congruential(98);

        for (var drawn = 99; drawn < 500; drawn++)
        {
            var place = last % 97;
            last = table[place];
            table[place] = Congruential(drawn);
            Assert.Equal(last, random.Next());
        }
    }

    [Fact]
    public void Lran2_takes_a_seed_by_its_distance_from_the_increment()
    {
        // |150889 − 4141| and |150889 − 297637| are the same state, 150889 − 4140 another.
        Assert.Equal(new Lran2(4_141).Next(), new Lran2(297_637).Next());
        Assert.NotEqual(new Lran2(4_141).Next(), new Lran2(4_140).Next());
        var random = new Lran2(4_141);
        Assert.All(Enumerable.Range(0, 10_000).Select(_ => random.Next()), value => Assert.InRange(value, 0, 714_024));
    }

    [Fact]
    public void The_mixing_function_is_that_of_SplitMix64()
    {
        // The published first and second values of SplitMix64 from seed 0 are this function of one and two golden gammas.
        const ulong Gamma = 0x9e3779b97f4a7c15;

        Assert.Equal(0xe220a8397b1dcdafUL, new MixGenerator(Gamma).Next());
        Assert.Equal(0x6e789e6aa1b965f4UL, new MixGenerator(unchecked(2 * Gamma)).Next());
        var random = new MixGenerator(Gamma);
        random.Next();
        Assert.Equal(new MixGenerator(0xe220a8397b1dcdaf).Next(), random.Next());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(25)]
    [InlineData(50)]
    public void A_chance_is_one_percent_better_than_it_says(uint percent)
    {
        var random = new MixGenerator(43);

        var hits = Enumerable.Range(0, 1_000_000).Count(_ => random.Chance(percent));

        Assert.InRange(hits / 1e6, (percent + 1) / 100.0 - 0.002, (percent + 1) / 100.0 + 0.002);
    }

    [Fact]
    public void The_xorshift_is_the_upper_half_of_a_product()
    {
        var random = new XorShiftGenerator(1);

        // 1 → 1 (a right shift by 11 leaves nothing) → 1 + 2³¹ → that with bit 31 − 18 set as well.
        const ulong First = 1 | (1UL << 31) | (1UL << 13);
        Assert.Equal((uint)(unchecked(First * 0xd989bcacc137dcd5) >> 32), random.Next());
        // From there: bits 31 and 13 come down by 11; all four go up by 31; those that are above 17 come down by 18.
        ulong second = First ^ (1UL << 20) ^ (1UL << 2);
        second ^= (1UL << 31) ^ (1UL << 62) ^ (1UL << 44) ^ (1UL << 51) ^ (1UL << 33);
        second ^= (1UL << 44) ^ (1UL << 26) ^ (1UL << 33) ^ (1UL << 15) ^ (1UL << 2);
        Assert.Equal((uint)(unchecked(second * 0xd989bcacc137dcd5) >> 32), random.Next());
    }

    [Fact]
    public void The_Mersenne_twister_gives_the_value_that_the_C_plus_plus_standard_demands()
    {
        var random = new MersenneTwister(5_489);

        var values = Enumerable.Range(0, 10_000).Select(_ => random.Next()).ToArray();

        Assert.Equal([3_499_211_612, 581_869_302, 3_890_346_734, 3_586_334_585, 545_404_204], values[..5]);
        Assert.Equal(4_123_659_995u, values[^1]);
        Assert.All(Enumerable.Range(0, 10_000).Select(_ => random.Below(20)), value => Assert.InRange(value, 0, 19));
    }

    private static int Congruential(int n)
    {
        BigInteger modulus = 714_025;
        var sum = (BigInteger.ModPow(1_366, n, modulus * 1_365) - 1) / 1_365;
        return (int)((150_889 * sum) % modulus);
    }
}
