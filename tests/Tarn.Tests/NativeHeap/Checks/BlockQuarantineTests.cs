namespace Tarn.Tests.NativeHeaps.Checks;

/// <summary>The freed blocks of a checked heap by themselves: first in, first out, with their bytes.</summary>
public sealed class BlockQuarantineTests
{
    private readonly BlockQuarantine _quarantine = new();

    [Fact]
    public void Random_programs_agree_with_a_queue()
    {
        Random random = new(5);
        Queue<CheckedBlock> kept = new();
        TimeSpan now = default;
        for (int step = 0; step < 20_000; step++)
        {
            now += TimeSpan.FromSeconds(random.Next(3));
            switch (random.Next(10))
            {
                case < 6:
                    CheckedBlock block = Create((nuint)random.Next(1, 10_000));
                    Assert.True(_quarantine.TryAdd(block, now));
                    Assert.Equal((CheckedBlockState.Kept, now), (block.State, block.KeptSince));
                    kept.Enqueue(block);
                    break;
                case < 9:
                    Assert.Same(kept.TryDequeue(out CheckedBlock? oldest) ? oldest : null, _quarantine.TakeOldest());
                    break;
                default:
                    TimeSpan before = now - TimeSpan.FromSeconds(random.Next(20));
                    List<CheckedBlock> taken = [];
                    _quarantine.TakeOlder(before, taken);
                    Assert.Equal(kept.TakeWhile(held => held.KeptSince <= before), taken);
                    taken.ForEach(_ => kept.Dequeue());
                    break;
            }

            Assert.Equal(kept.Sum(static held => (long)held.Footprint), _quarantine.Bytes);
        }

        Assert.Equal(kept, _quarantine.Kept);
        _quarantine.Clear();
        Assert.Equal((0, 0), (_quarantine.Bytes, _quarantine.Kept.Count));
    }

    private static CheckedBlock Create(nuint footprint) => new()
    {
        Base = 4096,
        Start = 4096,
        Size = 1,
        End = 4097,
        Footprint = footprint,
        Alignment = 1,
        IsGuarded = false,
        AllocatedAt = null,
        ReportsLeak = false,
    };
}
