using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>What all threads share of a class, by itself: where a block goes that its thread has no room for.</summary>
public sealed class BlockClassTests : IDisposable
{
    private static readonly int s_index = (int)BlockSizes.IndexOf(64 << 10);

    private readonly RefusedBlocks _refused = new();
    private readonly RegionSet _regions;
    private readonly BlockClass _class;

    public BlockClassTests()
    {
        MemoryBudget budget = new(64 << 20);
        _regions = new RegionSet(VirtualMemory.Current, budget, new CommittedBytes(addPressure: false));
        _class = new BlockClass(s_index, _regions, budget, new ThreadRoom(budget), _refused, VirtualMemory.Current);
    }

    public void Dispose()
    {
        _regions.Close();
        _regions.ReleaseAll();
    }

    [Fact]
    public void A_block_without_room_goes_to_the_depot_and_is_the_next_one()
    {
        nint[] blocks = TakeTwo();
        _class.GiveToDepot([blocks[0]], TimeSpan.Zero);
        _class.GiveToDepot([blocks[1]], TimeSpan.Zero);

        Assert.Equal(2, _class.DepotCount);
        nint next = 0;
        Assert.Equal(1, _class.Take(new Span<nint>(ref next)));
        Assert.Equal(blocks[1], next);
    }

    [Fact]
    public void A_block_that_is_freed_twice_in_a_row_is_in_the_depot_once()
    {
        nint[] blocks = TakeTwo();
        using IncidentLog incidents = new("a heap without room");
        _class.GiveToDepot([blocks[0]], TimeSpan.Zero);
        _class.GiveToDepot([blocks[0]], TimeSpan.Zero);
        _refused.Report("a heap without room");

        Assert.Equal(1, _class.DepotCount);
        Assert.Equal(BufferIncidentKind.DoubleReturn, incidents.WaitForOne().Kind);
    }

    private nint[] TakeTwo()
    {
        nint[] blocks = new nint[2];
        Assert.Equal(2, _class.TakeFromNewSlab(blocks));
        return blocks;
    }
}
