namespace Tarn.Tests.NativeHeaps;

/// <summary>The regions by themselves: granules taken, idle, given up, refused, and their end.</summary>
public sealed class RegionSetTests
{
    private const long Granule = 1 << Region.GranuleShift;

    private readonly FailingMemory _memory = new() { DecommittedMemoryFaults = true };
    private readonly CommittedBytes _committed = new(addPressure: false);

    [Fact]
    public void Granules_that_come_back_are_idle_while_the_budget_has_room()
    {
        MemoryBudget budget = new(4 * Granule);
        RegionSet regions = new(_memory, budget, _committed);
        Assert.True(regions.TryTake(4, Region.GranuleSize, out Region? region, out int first));
        Assert.True(regions.TryTake(4, Region.GranuleSize, out Region? other, out int second));
        Assert.Equal((0, 4, region, 8 * Granule), (first, second, other, _committed.Count));
        regions.Give(region, first, 4, TimeSpan.FromSeconds(1));
        Assert.Equal((4 * Granule, 4 * Granule, 8 * Granule), (regions.IdleBytes, budget.Granted, _committed.Count));
        regions.Give(region, second, 4, TimeSpan.FromSeconds(2));
        Assert.Equal((4 * Granule, 4 * Granule, 4 * Granule), (regions.IdleBytes, budget.Granted, _committed.Count));
        Assert.Equal(0, regions.DecommitIdle(TimeSpan.Zero));
        Assert.Equal(4 * Granule, regions.DecommitIdle(TimeSpan.FromSeconds(1)));
        Assert.True(regions.IsValid());
        Assert.Single(_memory.Reservations);
        Assert.Equal(0, regions.DecommitIdle(TimeSpan.MaxValue, keepRegion: false));
        AssertEnded(regions, budget);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_refusal_changes_nothing(int nth)
    {
        MemoryBudget budget = new(1 << 30);
        RegionSet regions = new(_memory, budget, _committed);
        _memory.Refuse(nth, andAllAfter: true);
        Assert.False(regions.TryTake(4, Region.GranuleSize, out _, out _));
        _memory.RefuseNothing();
        Assert.True(regions.IsValid());
        Assert.Equal((0, 0), (_committed.Count, budget.Granted));
        Assert.True(regions.TryTake(4, Region.GranuleSize, out Region? region, out int first));
        regions.Give(region, first, 4, default);
        AssertEnded(regions, budget);
    }

    [Fact]
    public void A_system_with_little_room_gives_a_smaller_region()
    {
        MemoryBudget budget = new(1 << 30);
        RegionSet regions = new(_memory, budget, _committed);
        int asked = 0;
        _memory.Refuse(() => asked++ < 3);
        Assert.True(regions.TryTake(4, Region.GranuleSize, out Region? region, out int first));
        Assert.Equal((nuint)(64 << 20) >> 3, region.Size);
        regions.Give(region, first, 4, default);
        AssertEnded(regions, budget);
    }

    [Fact]
    public void After_its_end_nothing_is_handed_out_kept_or_released_again()
    {
        MemoryBudget budget = new(1 << 30);
        RegionSet regions = new(_memory, budget, _committed);
        Assert.True(regions.TryTake(2, Region.GranuleSize, out Region? region, out int first));
        regions.Close();
        regions.Give(region, first, 2, default);
        Assert.Throws<ObjectDisposedException>(() => regions.TryTake(2, Region.GranuleSize, out _, out _));
        Assert.False(regions.TryEnter());
        Assert.Equal((0, 0), (regions.DecommitIdle(TimeSpan.MaxValue), budget.Granted));
        AssertEnded(regions, budget);
        Assert.Null(regions.FindSlab(region.Address));
    }

    private void AssertEnded(RegionSet regions, MemoryBudget budget)
    {
        regions.Close();
        regions.ReleaseAll();
        regions.ReleaseAll();
        Assert.Equal((0, 0, 0), (regions.ReservedBytes, _committed.Count, budget.Granted));
        _memory.AssertNothingLeaks();
    }
}
