namespace Tarn.Tests.NativeHeaps;

/// <summary>The ages of a slab's OS pages, without memory behind them: nothing here touches a block.</summary>
public sealed class SlabPagesTests
{
    private const int OsPage = 4096;

    /// <summary>A block a page.</summary>
    private readonly SlabClass _class = new((int)BlockSizes.IndexOf(OsPage), OsPage);
    private readonly Slab _slab;

    public SlabPagesTests() =>
        _slab = new Slab(_class, new Region(1 << 30, (nuint)_class.GranulesPerSlab * Region.GranuleSize), firstGranule: 0);

    private int Pages => _class.BlocksPerSlab;

    [Fact]
    public void A_page_is_discarded_once_after_as_many_sweeps_as_its_age_asks_for()
    {
        nint[] blocks = TakeAll();
        _slab.Give(blocks.AsSpan(0, 2), wereIdle: false);
        Assert.Equal(0, Sweep(age: 3));
        Assert.False(_slab.Pages.IsSettled);
        Assert.Equal(0, Sweep(age: 3));
        Assert.Equal(2, Sweep(age: 3));
        Assert.Equal(0, Sweep(age: 3));
        Assert.True(_slab.Pages.IsSettled);
    }

    [Fact]
    public void A_block_that_was_idle_makes_its_page_the_oldest_and_one_in_use_keeps_its_page()
    {
        nint[] blocks = TakeAll();
        _slab.Give(blocks.AsSpan(0, 1), wereIdle: true);
        _slab.Give(blocks.AsSpan(5, 1), wereIdle: false);
        Assert.Equal(1, Sweep(SlabPages.MostSweeps));
        nint[] again = new nint[1];
        Assert.Equal(1, _slab.TakeFree(again));
        Assert.Equal(0, Sweep(age: 3));
    }

    /// <summary>
    /// A page that is marked and not listed is never discarded. So the list has room for the worst case before a sweep marks anything.
    /// </summary>
    [Fact]
    public void The_most_ranges_fit_the_list_that_was_made_for_them()
    {
        nint[] blocks = TakeAll();
        foreach (nint block in blocks.Where((_, at) => at % 2 == 0))
        {
            _slab.Give([block], wereIdle: true);
        }

        List<(nint Address, nuint Size)> ranges = new(SlabPages.MostRanges(_class));
        int room = ranges.Capacity;
        _slab.Pages.Sweep(_slab, age: 0, ranges);
        Assert.Equal((Pages / 2, room), (ranges.Count, ranges.Capacity));
        Assert.All(ranges, static range => Assert.Equal((nuint)OsPage, range.Size));
    }

    [Fact]
    public void Pages_side_by_side_are_one_range()
    {
        _slab.Give(TakeAll(), wereIdle: true);
        List<(nint Address, nuint Size)> ranges = [];
        _slab.Pages.Sweep(_slab, age: 0, ranges);
        Assert.Equal([(_slab.Start, (nuint)(Pages * OsPage))], ranges);
    }

    private nint[] TakeAll()
    {
        nint[] blocks = new nint[Pages];
        Assert.Equal(Pages, _slab.Carve(blocks));
        return [.. blocks.Order()];
    }

    /// <summary>The pages that a sweep discards.</summary>
    private int Sweep(int age)
    {
        List<(nint Address, nuint Size)> ranges = new(SlabPages.MostRanges(_class));
        _slab.Pages.Sweep(_slab, age, ranges);
        return ranges.Sum(static range => (int)range.Size / OsPage);
    }
}
