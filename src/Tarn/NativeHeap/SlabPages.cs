namespace Tarn.Native;

/// <summary>
/// Tracks the OS pages of a slab that contain no block out: the age of each in sweeps, and which were discarded. Guarded by the lock of its
/// <see cref="BlockClass"/>.
/// </summary>
/// <remarks>
/// A page's age is the number of sweeps that found it free since a block on it was last used. Each sweep adds one; a block that is taken or
/// returned resets the ages of its pages. So a page that stays free is discarded, whatever its neighbours do. A block that comes back after
/// it was idle for the timeout makes its pages the oldest at once: otherwise its memory would be kept for twice the timeout.
/// </remarks>
internal sealed class SlabPages(SlabClass owner)
{
    /// <summary>The most sweeps after which a page may be discarded: few enough that rounding them up stays below the oldest age.</summary>
    internal const int MostSweeps = Oldest - 4;

    private const byte Discarded = byte.MaxValue;
    private const byte Oldest = Discarded - 1;

    /// <summary>Made with the slab: a free must not need memory for it.</summary>
    private readonly byte[] _ages = new byte[PageCount(owner)];

    /// <summary>Whether no block was taken or returned since a sweep found no free page left to discard.</summary>
    internal bool IsSettled { get; private set; }

    /// <summary>The most ranges that one sweep of a slab adds: every second page.</summary>
    internal static int MostRanges(SlabClass owner) => (PageCount(owner) + 1) / 2;

    /// <summary>Notes that blocks are taken.</summary>
    internal void Use(int firstBlock, int count) => SetAges(firstBlock, count, 0);

    /// <summary>Notes that a block is returned.</summary>
    /// <param name="block">The block.</param>
    /// <param name="wasIdle">Whether it was idle for the timeout, rather than in use until now.</param>
    internal void Return(int block, bool wasIdle) => SetAges(block, 1, wasIdle ? Oldest : (byte)0);

    /// <summary>
    /// Ages free pages by one sweep, and adds those that have reached <paramref name="age"/> to <paramref name="ranges"/>, to be discarded.
    /// </summary>
    /// <param name="slab">The slab of these pages.</param>
    /// <param name="age">The age to be discarded at.</param>
    /// <param name="ranges">
    /// A list with room for <see cref="MostRanges"/> more: a page that is marked and not listed would never be discarded.
    /// </param>
    internal void Sweep(Slab slab, int age, List<(nint Address, nuint Size)> ranges)
    {
        nuint osPage = owner.OsPageSize;
        IsSettled = true;
        nint from = 0;
        nint to = 0;
        for (int page = 0; page < _ages.Length; page++)
        {
            if (_ages[page] == Discarded || !IsFree(slab, page))
            {
                continue;
            }

            _ages[page] = Math.Min((byte)(_ages[page] + 1), Oldest);
            if (_ages[page] < age)
            {
                IsSettled = false;
                continue;
            }

            _ages[page] = Discarded;
            nint start = slab.Start + (page * (nint)osPage);
            if (start != to)
            {
                AddRange(from, to, ranges);
                from = start;
            }

            to = start + (nint)osPage;
        }

        AddRange(from, to, ranges);
    }

    private static int PageCount(SlabClass owner) => (int)(((nuint)owner.GranulesPerSlab << Region.GranuleShift) / owner.OsPageSize);

    private void SetAges(int firstBlock, int count, byte age)
    {
        IsSettled = false;
        nuint start = (nuint)firstBlock * owner.BlockSize;
        int first = (int)(start >> owner.OsPageShift);
        int last = (int)((start + ((nuint)count * owner.BlockSize) - 1) >> owner.OsPageShift);
        _ages.AsSpan(first, last - first + 1).Fill(age);
    }

    private static void AddRange(nint from, nint to, List<(nint Address, nuint Size)> ranges)
    {
        if (from < to)
        {
            ranges.Add((from, (nuint)(to - from)));
        }
    }

    private bool IsFree(Slab slab, int page)
    {
        nuint start = (nuint)page * owner.OsPageSize;
        int first = (int)(start / owner.BlockSize);
        int last = (int)((start + owner.OsPageSize - 1) / owner.BlockSize);
        return slab.AreFree(first, last - first + 1);
    }
}
