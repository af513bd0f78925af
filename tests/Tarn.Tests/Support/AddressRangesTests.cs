namespace Tarn.Tests.Support;

public sealed class AddressRangesTests
{
    [Fact]
    public void Ranges_join_when_they_touch_and_part_when_a_piece_goes()
    {
        AddressRanges set = new();
        set.Add(10, 10);
        set.Add(30, 10);
        Assert.Equal([(10, 10u), (30, 10u)], set.Ranges);
        set.Add(20, 10);
        Assert.Equal([(10, 30u)], set.Ranges);
        set.Remove(15, 5);
        Assert.Equal([(10, 5u), (20, 20u)], set.Ranges);
        Assert.Equal(25u, set.Size);
        set.Remove(0, 100);
        Assert.Empty(set.Ranges);
    }

    [Fact]
    public void Random_changes_give_the_same_as_a_set_of_addresses()
    {
        for (int seed = 0; seed < 20; seed++)
        {
            Random random = new(seed);
            AddressRanges set = new();
            bool[] model = new bool[64];
            for (int step = 0; step < 200; step++)
            {
                int start = random.Next(64);
                int size = random.Next(1, 64 - start + 1);
                bool add = random.Next(2) == 0;
                if (add)
                {
                    set.Add(start, (nuint)size);
                }
                else
                {
                    set.Remove(start, (nuint)size);
                }

                model.AsSpan(start, size).Fill(add);
                AssertSame(model, set, random, $"seed {seed}, step {step}");
            }
        }
    }

    private static void AssertSame(bool[] model, AddressRanges set, Random random, string when)
    {
        bool[] held = new bool[64];
        foreach ((nint address, nuint size) in set.Ranges)
        {
            held.AsSpan((int)address, (int)size).Fill(true);
        }

        Assert.True(model.AsSpan().SequenceEqual(held), when);
        Assert.Equal((nuint)model.Count(static isIn => isIn), set.Size);
        int start = random.Next(64);
        int count = random.Next(1, 64 - start + 1);
        Assert.True(!model.AsSpan(start, count).Contains(false) == set.Contains(start, (nuint)count), when);
        Assert.True(model.AsSpan(start, count).Contains(true) == set.Overlaps(start, (nuint)count), when);
    }
}
