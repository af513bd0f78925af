namespace Tarn;

/// <summary>
/// Of a slab with blocks out, the OS pages that none of these lies in: for how many sweeps each has been so, and which were discarded.
/// Guarded by the lock of its <see cref="BlockClass"/>.
/// </summary>
/// <remarks>
/// A page's age counts the sweeps that found it free since a block on it was taken last. It grows by one a sweep; when a block is taken,
/// the ages of its pages begin anew. So a page is discarded that was free all the time, whatever came and went beside it.
/// </remarks>
internal sealed class SlabPages(SlabClass owner)
{
    private const byte Discarded = byte.MaxValue;
    private const byte Oldest = Discarded - 1;

    private byte[]? _ages;

    /// <summary>Nothing was taken or given since a sweep found no page that is free and not discarded.</summary>
    internal bool IsSettled { get; private set; }

    /// <summary>A block was taken or given.</summary>
    internal void Touch() => IsSettled = false;

    /// <summary>Blocks are taken.</summary>
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
    /// Ages free pages by a sweep, and adds those to <paramref name="ranges"/> that have reached <paramref name="age"/>: they are to be
    /// discarded.
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
