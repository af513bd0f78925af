using System.Numerics;

namespace Tarn;

/// <summary>A contiguous run of equal blocks. Guarded by the lock of its <see cref="SlabClass"/>.</summary>
/// <remarks>
/// <para>With n blocks a slab: <c>0 ≤ FreeCount ≤ Carved ≤ n</c>; bits are set only below <c>Carved</c>, and <c>FreeCount</c> is their
/// number. Blocks from <c>Carved</c> on were never handed out, those with a set bit came back; the other <c>Carved - FreeCount</c> are
/// in use or in magazines. A slab with a set bit is listed, unless it is empty: then it is no slab any more.</para>
/// <para>Nothing is ever written into a block: what is free is known from outside.</para>
/// </remarks>
internal sealed class Slab(SlabClass owner, Region region, int firstGranule)
{
    private const int BitsPerWord = 64;

    private ulong[]? _free;

    internal SlabClass Owner { get; } = owner;

    internal Region Region { get; } = region;

    internal int FirstGranule { get; } = firstGranule;

    internal nint Start { get; } = region.AddressOf(firstGranule);

    /// <summary>Blocks handed out at least once: the first ones.</summary>
    internal int Carved { get; private set; }

    /// <summary>Blocks that came back.</summary>
    internal int FreeCount { get; private set; }

    /// <summary>No block is in use or in a magazine.</summary>
    internal bool IsEmpty => FreeCount == Carved;

    /// <summary>The neighbours among the slabs of the class that have blocks that came back.</summary>
    internal Slab? Next { get; set; }

    internal Slab? Before { get; set; }

    internal bool IsListed { get; set; }

    /// <summary>When a block was taken last, or came back.</summary>
    internal TimeSpan UsedAt { get; private set; }

    /// <summary>No block was taken nor came back since <see cref="Discard"/>.</summary>
    internal bool IsDiscarded { get; private set; }

    /// <summary>A block was taken, or one came back that was in use until then.</summary>
    internal void Touch(TimeSpan now)
    {
        IsDiscarded = false;
        UsedAt = now > UsedAt ? now : UsedAt;
    }

    /// <summary>Hands out blocks that never were, in the order of addresses, the first one last; how many.</summary>
    internal int Carve(Span<nint> blocks)
    {
        int count = Math.Min(blocks.Length, Owner.BlocksPerSlab - Carved);
        nint size = (nint)Owner.BlockSize;
        nint block = Start + (Carved * size);
        for (int i = blocks.Length - 1; i >= blocks.Length - count; i--)
        {
            blocks[i] = block;
            block += size;
        }

        Carved += count;
        return count;
    }

    /// <summary>Hands out blocks that came back, likewise; how many.</summary>
    internal int TakeFree(Span<nint> blocks)
    {
        int next = blocks.Length;
        for (int word = 0; next > 0 && FreeCount > 0; word++)
        {
            ulong bits = _free![word];
            while (bits != 0 && next > 0)
            {
                int block = (word * BitsPerWord) + BitOperations.TrailingZeroCount(bits);
                bits &= bits - 1;
                blocks[--next] = Start + (block * (nint)Owner.BlockSize);
                FreeCount--;
            }

            _free[word] = bits;
        }

        return blocks.Length - next;
    }

    /// <summary>Takes a block back; false when it is not one that is out.</summary>
    internal bool TryGive(nint block)
    {
        int index = Owner.IndexOf(block - Start);
        if (index < 0 || index >= Carved)
        {
            return false;
        }

        _free ??= new ulong[(Owner.BlocksPerSlab + BitsPerWord - 1) / BitsPerWord];
        ulong bit = 1UL << (index % BitsPerWord);
        if ((_free[index / BitsPerWord] & bit) != 0)
        {
            return false;
        }

        _free[index / BitsPerWord] |= bit;
        FreeCount++;
        return true;
    }

    /// <summary>Whether the block came back or never was out.</summary>
    internal bool IsFree(nint block)
    {
        int index = Owner.IndexOf(block - Start);
        return index >= Carved || (_free is not null && (_free[index / BitsPerWord] & (1UL << (index % BitsPerWord))) != 0);
    }

    /// <summary>Gives the memory of OS pages back that hold no part of a block that is out.</summary>
    internal void Discard(VirtualMemory memory)
    {
        nint mask = (nint)memory.OsPageSize - 1;
        nint size = (nint)Owner.BlockSize;
        nint end = Start + (Owner.GranulesPerSlab * (nint)Region.GranuleSize);
        for (int free = FindFrom(0, isFree: true); free < Owner.BlocksPerSlab;)
        {
            int used = FindFrom(free, isFree: false);
            nint from = (Start + (free * size) + mask) & ~mask;
            nint to = used == Owner.BlocksPerSlab ? end : (Start + (used * size)) & ~mask;
            if (from < to)
            {
                memory.Discard(from, (nuint)(to - from));
            }

            free = FindFrom(used, isFree: true);
        }

        IsDiscarded = true;
    }

    /// <summary>Checks the equations above.</summary>
    internal bool IsValid()
    {
        int bits = 0;
        foreach (ulong word in _free ?? [])
        {
            bits += BitOperations.PopCount(word);
        }

        bool below = true;
        for (int index = Carved; index < Owner.BlocksPerSlab && _free is not null; index++)
        {
            below &= (_free[index / BitsPerWord] & (1UL << (index % BitsPerWord))) == 0;
        }

        return below && bits == FreeCount && FreeCount <= Carved && Carved <= Owner.BlocksPerSlab && (FreeCount == 0 || IsListed) && !IsEmpty;
    }

    /// <summary>The first block from <paramref name="start"/> on that is free, or is out; the number of blocks when none is.</summary>
    private int FindFrom(int start, bool isFree)
    {
        int index = start;
        while (index < Carved)
        {
            ulong free = _free is null ? 0 : _free[index / BitsPerWord];
            ulong wanted = (isFree ? free : ~free) >> (index % BitsPerWord);
            if (wanted != 0)
            {
                index += BitOperations.TrailingZeroCount(wanted);
                break;
            }

            index += BitsPerWord - (index % BitsPerWord);
        }

        // Blocks that were never out are free.
        return index < Carved ? index : isFree ? Math.Max(start, Carved) : Owner.BlocksPerSlab;
    }
}
