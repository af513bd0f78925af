using Tarn.Tests.Support;
using Tarn.Tests.Trimming;

namespace Tarn.Tests.NativeHeaps;

/// <summary><see cref="HeapCap"/> by itself, over regions and large buffers: idle memory goes for what is asked, and no more.</summary>
public sealed class HeapCapGrantTests
{
    private const long Granule = 1 << Region.GranuleShift;

    private readonly FailingMemory _memory = new() { DecommittedMemoryFaults = true };
    private readonly MemoryBudget _budget = new(16 * Granule);
    private readonly RegionSet _regions;
    private readonly LargeBuffers _large;
    private readonly HeapCap _cap;

    public HeapCapGrantTests()
    {
        CommittedBytes committed = new(addPressure: false);
        _regions = new RegionSet(_memory, _budget, committed);
        _large = new LargeBuffers(_memory, _budget, committed);
        TrimSchedule schedule = new ScheduledSource(new ManualClock(followsCollections: false), TimeSpan.FromSeconds(10)).Schedule;
        _cap = new HeapCap([], _regions, _large, _budget, new(HeapThreads.Directory), schedule, new Lock());
    }

    [Fact]
    public void Idle_memory_makes_room()
    {
        KeepGranules(16);
        Assert.False(_budget.TryReserve(Granule));
        Assert.True(_cap.TryMakeRoom(Granule) && _budget.TryReserve(Granule));
        Assert.InRange(_regions.IdleBytes, 0, 15 * Granule);
        Assert.Equal(_regions.IdleBytes + Granule, _budget.Granted);
        End();
    }

    [Fact]
    public void More_than_the_cap_is_refused_and_costs_nothing()
    {
        KeepGranules(16);
        Assert.False(_cap.TryMakeRoom((16 * Granule) + 1));
        Assert.Equal(16 * Granule, _regions.IdleBytes);
        End();
    }

    [Fact]
    public void A_kept_buffer_makes_room_too()
    {
        nuint size = BlockSizes.RoundUp(300_000);
        nint buffer = _large.Create(size);
        Assert.True(_large.TryKeep(buffer, size, default));
        Assert.True(_cap.TryMakeRoom(16 * Granule) && _budget.TryReserve(16 * Granule));
        Assert.Equal((0, 16 * Granule), (_large.KeptBytes, _budget.Granted));
        End();
    }

    [Fact]
    public void A_system_that_refused_gets_everything_back_that_no_thread_holds()
    {
        KeepGranules(8);
        nuint size = BlockSizes.RoundUp(300_000);
        nint buffer = _large.Create(size);
        Assert.True(_large.TryKeep(buffer, size, default));
        _cap.MakeRoomInSystem();
        Assert.Equal((0, 0), (_budget.Granted, _memory.Reservations.Count));
        End();
    }

    private void KeepGranules(int count)
    {
        Assert.True(_regions.TryTake(count, Region.GranuleSize, out Region? region, out int first));
        _regions.Give(region, first, count, default);
    }

    private void End()
    {
        _regions.Close();
        _large.Close();
        _regions.ReleaseAll();
        _large.ReleaseAll();
        _memory.AssertNothingLeaks();
    }
}
