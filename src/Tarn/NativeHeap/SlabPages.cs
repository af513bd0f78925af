namespace Tarn;

/// <summary>
/// Tracks the OS pages of a slab that contain no block out: the age of each in sweeps, and which were discarded. Guarded by the lock of its
/// <see cref="BlockClass"/>.
/// </summary>
/// <remarks>
/// A page's age is the number of sweeps that found it free since a block on it was last taken. Each sweep adds one; taking a block resets
/// the ages of its pages. So a page that stays free is discarded, whatever its neighbours do.
/// </remarks>
internal sealed class SlabPages(SlabClass owner)
{
    private const byte Discarded = byte.MaxValue;
    private const byte Oldest = Discarded - 1;

    private byte[]? _ages;

    /// <summary>Whether no block was taken or returned since a sweep found no free page left to discard.</summary>
    internal bool IsSettled { get; private set; }

    /// <summary>Notes that a block was taken or returned.</summary>
    internal void Touch() => IsSettled = false;

    /// <summary>Notes that blocks are taken.</summary>
    internal void Use(int firstBlock, int count)
    {
        IsSettled = false;
        if (_ages is not null)
        {
            nuint start = (nuint)firstBlock * owner.BlockSize;
            int first = (int)(start / owner.OsPageSize);
            int last = (int)((start + ((nuint)count * owner.BlockSize) - 1) / owner.OsPageSize);
            _ages.AsSpan(first, last - first + 1).Clear();
        }
    }

    /// <summary>
    /// Ages free pages by one sweep, and adds those that have reached <paramref name="age"/> to <paramref name="ranges"/>, to be discarded.
    /// </summary>
    internal void Sweep(Slab slab, int age, List<(nint Address, nuint Size)> ranges)
    {
        nuint osPage = owner.OsPageSize;
        int count = (int)(((nuint)owner.GranulesPerSlab << Region.GranuleShift) / osPage);
        _ages ??= new byte[count];
        IsSettled = true;
        nint from = 0;
        nint to = 0;
        for (int page = 0; page < count; page++)
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
