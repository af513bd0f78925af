using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Tests.Workloads;

public class DistributionTests
{
    private static readonly double[] s_shares = [0.262144, 0.393216, 0.24576, 0.08192, 0.01536, 0.001536, 0.000064];

    [Fact]
    public void Each_group_of_places_is_used_as_often_as_six_applications_of_the_rule_demand()
    {
        const int Places = 1 << 18;
        const uint Step = 1_021;
        var places = new ParetoPlaces(Places);
        // The groups' ends, from the backward shares: 16 places, 402 more, ...
        var ends = s_shares.Reverse().Take(6).Select(share => (int)(share * Places))
            .Aggregate(new List<int>(), (sums, count) => [.. sums, sums.LastOrDefault() + count]);
        var used = new double[7];
        double draws = 0;
        for (ulong value = 0; value <= uint.MaxValue; value += Step, draws++)
        {
            var first = places.Choose((uint)value, 0);
            used[ends.Count(end => end <= first)]++;
        }

        Assert.Equal([16, 418, 4_444], ends[..3]);
        Assert.All(used.Zip(s_shares), group => Assert.Equal(group.Second, group.First / draws, 5));
    }

    [Fact]
    public void Every_place_can_be_chosen_and_none_beyond_them()
    {
        const int Places = 64;
        var places = new ParetoPlaces(Places);
        var random = new MixGenerator(1);

        var chosen = Enumerable.Range(0, 2_000_000).Select(_ => places.Choose((uint)random.Next(), (uint)random.Next())).ToHashSet();

        Assert.Equal(Enumerable.Range(0, Places), chosen.Order());
        Assert.Throws<ArgumentOutOfRangeException>(() => new ParetoPlaces(6));
    }

    [Fact]
    public void Sizes_of_alloc_test_halve_in_number_as_they_double_and_are_uniform_within()
    {
        var counts = new int[1_025];
        for (uint random = 0; random < 1 << 16; random++)
        {
            counts[SizeDraws.Halving(random)]++;
        }

        Assert.Equal(0, counts[..5].Sum());
        // Of 65,536: 32,768 between 5 and 8, down to 512 and once more 512 at the top, where no bit is left.
        Assert.Equal([8_192, 8_192, 8_192, 8_192], counts[5..9]);
        Assert.All(counts[9..17], count => Assert.Equal(2_048, count));
        Assert.All(counts[257..513], count => Assert.Equal(2, count));
        Assert.All(counts[513..1_025], count => Assert.Equal(1, count));
    }

    [Fact]
    public void Sizes_of_glibc_thread_are_half_as_likely_above_double_the_size()
    {
        const int Draws = 1_000_000;
        var sizes = Enumerable.Range(0, Draws).Select(draw => SizeDraws.InverseSquare(draw / (double)Draws)).ToArray();

        Assert.Equal(4, SizeDraws.InverseSquare(0));
        Assert.Equal(32_768, SizeDraws.InverseSquare(1));
        foreach (var size in new[] { 8, 16, 32, 64, 128, 256 })
        {
            Assert.InRange(sizes.Count(drawn => drawn >= size) * (size / 4.0) / Draws, 0.99, 1.01);
        }
    }

    [Fact]
    public void Sizes_of_the_window_fall_to_an_eighth_as_they_grow_fourfold()
    {
        var groups = new int[7];
        for (uint choice = 0; choice < 1 << 18; choice++)
        {
            var size = SizeDraws.FallingEighths(choice);
            groups[(int)Math.Log(size / 8, 4)]++;
        }

        Assert.Equal([229_376, 28_672, 3_584, 448, 56, 7, 1], groups);
        Assert.Equal(8, SizeDraws.FallingEighths(1));
        Assert.Equal(31, SizeDraws.FallingEighths(uint.MaxValue));
        Assert.Equal(32, SizeDraws.FallingEighths(8));
        Assert.Equal(131_066, SizeDraws.FallingEighths(0xfffc_0000));
    }

    [Fact]
    public void Sizes_of_larson_are_8_to_999()
    {
        var random = new Lran2(4_141);
        var sizes = Enumerable.Range(0, 200_000).Select(_ => SizeDraws.Larson(random)).ToArray();

        Assert.Equal((8, 999), (sizes.Min(), sizes.Max()));
        Assert.InRange(sizes.Average(), 501, 506);
    }

    [Fact]
    public void Blocks_of_mstress_are_powers_of_two_and_two_of_a_hundred_are_large()
    {
        const int Draws = 2_000_000;
        var random = new MixGenerator(43);
        var words =
            Enumerable.Range(0, Draws).Select(_ => (int)StressProgram.DrawWords(ref random, StressProgram.RetainedDoublings)).ToArray();

        Assert.All(words.Where(count => count < 100), count => Assert.True(count is 1 or 2 or 4 or 8 or 16 or 32 or 64, $"{count} words"));
        Assert.InRange(words.Count(count => count % 100 == 0) / (double)Draws, 0.019, 0.021);
        // Of the large ones 2 % are giant; of the others 11 % are huge.
        Assert.InRange(words.Count(count => count % 10_000 == 0) / (double)Draws, 0.0003, 0.0005);
        Assert.InRange(
            words.Count(count => count % 1_000 == 0 && count % 10_000 != 0) / (double)Draws, 0.02 * 0.98 * 0.10, 0.02 * 0.98 * 0.12);
        Assert.Equal((int)StressProgram.MostWords, words.Max());
    }

    [Fact]
    public unsafe void A_word_that_was_written_over_is_named()
    {
        var block = stackalloc ulong[100];
        CheckedWords.Write(block, 100);
        Assert.Equal((nuint)100, CheckedWords.Verify(block));

        block[57] ^= 1UL << 40;
        var inside = Assert.Throws<InvalidDataException>(() => CheckedWords.Verify(block));
        block[0] = 0;
        var first = Assert.Throws<InvalidDataException>(() => CheckedWords.Verify(block));

        Assert.Contains("word 57 of a block of 100 words", inside.Message, StringComparison.Ordinal);
        Assert.Contains("word 0 of", first.Message, StringComparison.Ordinal);
    }
}
