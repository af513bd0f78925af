namespace Tarn.Tests.NativeHeaps;

/// <summary>The shared store of a class's magazines by itself: whatever goes in comes out once, and the count is right.</summary>
public sealed class BlockDepotTests
{
    private const int Size = 1024;

    private readonly BlockDepot _depot = new(Size);
    private readonly List<nint> _in = [];
    private nint _next = Size;

    [Fact]
    public void Blocks_come_out_once_whichever_way_they_are_taken()
    {
        Random random = new(1);
        for (int round = 0; round < 2000; round++)
        {
            if (random.Next(3) == 0)
            {
                Put(random.Next(1, BlockRoom.MaxCapacityOf(Size)));
            }
            else if (random.Next(2) == 0)
            {
                Remove([_depot.TakeOne()]);
            }
            else
            {
                int most = random.Next(1, 100);
                BlockMagazine? taken = _depot.Take(new BlockMagazine(100), most);
                Remove(taken is null ? [] : taken.Stack.ToArray());
                Assert.True(taken is null || taken.Count <= most);
            }

            Assert.Equal((_in.Count, _in.Count), (_depot.BlockCount, _depot.Filled.Sum(static magazine => magazine.Count)));
        }
    }

    [Fact]
    public void What_was_put_in_before_a_time_leaves_the_oldest_first()
    {
        for (int second = 1; second <= 5; second++)
        {
            Put(BlockRoom.MaxCapacityOf(Size), TimeSpan.FromSeconds(second));
        }

        for (int second = 1; second <= 3; second++)
        {
            Assert.Equal(TimeSpan.FromSeconds(second), _depot.TakeIdle(TimeSpan.FromSeconds(3))!.Since);
        }

        Assert.Null(_depot.TakeIdle(TimeSpan.FromSeconds(3)));
    }

    [Fact]
    public void What_nobody_needed_since_the_last_search_leaves()
    {
        Put(BlockRoom.MaxCapacityOf(Size));
        Put(BlockRoom.MaxCapacityOf(Size));
        Assert.Null(_depot.TakeUnneeded());
        Assert.NotNull(_depot.Take(new BlockMagazine(BlockRoom.MaxCapacityOf(Size)), BlockRoom.MaxCapacityOf(Size)));
        Assert.NotNull(_depot.TakeUnneeded());
        Assert.Null(_depot.TakeUnneeded());
        Assert.Equal(0, _depot.BlockCount);
        Assert.Equal(0, _depot.TakeOne());
        Assert.Null(_depot.Take(null, 1));
    }

    private void Put(int count, TimeSpan now = default)
    {
        BlockMagazine magazine = new(BlockRoom.MaxCapacityOf(Size));
        nint[] blocks = [.. Enumerable.Range(0, count).Select(_ => _next += Size)];
        magazine.Put(blocks);
        if (_depot.HasRoom && _depot.Put(magazine, now) is { } empty)
        {
            Assert.Equal(0, empty.Count);
            _in.AddRange(blocks);
        }
    }

    private void Remove(nint[] blocks)
    {
        foreach (nint block in blocks.Where(static block => block != 0))
        {
            Assert.True(_in.Remove(block), $"{block} came out twice, or never went in.");
        }
    }
}
