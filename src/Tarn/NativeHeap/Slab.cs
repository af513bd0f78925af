using System.Numerics;

namespace Tarn;

/// <summary>A contiguous run of equal blocks. Guarded by the lock of its <see cref="BlockClass"/>.</summary>
/// <remarks>
/// <para>With n blocks a slab: <c>0 ≤ FreeCount ≤ Carved ≤ n</c>; bits are set only below <c>Carved</c>, and <c>FreeCount</c> is their
/// number. Blocks from <c>Carved</c> on were never handed out, those with a set bit came back; the other <c>Carved - FreeCount</c> are
/// in use or in magazines. A slab that has blocks to give, of either kind, is listed, unless it rests; when all its blocks have come
/// back, it is no slab any more.</para>
/// <para>Nothing is ever written into a block: what is free is known from outside.</para>
/// </remarks>
internal sealed class Slab(SlabClass owner, Region region, int firstGranule)
{
    private const int BitsPerWord = 64;

    /// <summary>Made with the slab: a free must not need memory for it.</summary>
    private readonly ulong[] _free = new ulong[(owner.BlocksPerSlab + BitsPerWord - 1) / BitsPerWord];

    internal SlabClass Owner { get; } = owner;

    internal Region Region { get; } = region;

    internal int FirstGranule { get; } = firstGranule;

    internal nint Start { get; } = region.AddressOf(firstGranule);

    /// <summary>Its memory that nobody uses: which OS pages, and since when.</summary>
    internal SlabPages Pages { get; } = new(owner);

    /// <summary>Blocks handed out at least once: the first ones.</summary>
    internal int Carved { get; private set; }

    /// <summary>Blocks that came back.</summary>
    internal int FreeCount { get; private set; }

    /// <summary>Blocks that it can give.</summary>
    internal int AvailableCount => Owner.BlocksPerSlab - Carved + FreeCount;

    /// <summary>Blocks in use or in magazines.</summary>
    internal int OutCount => Carved - FreeCount;

    /// <summary>Blocks that are out but free: in a quarantine.</summary>
    internal int AsideCount { get; set; }

    /// <summary>No block is in use, and some are aside.</summary>
    internal bool IsAside => AsideCount > 0 && AsideCount == OutCount;

    /// <summary>The neighbours among the slabs of the class that are as full; once it is emptied, the one emptied before.</summary>
    internal Slab? Next { get; set; }

    internal Slab? Before { get; set; }

    /// <summary>Since when it has no block out, once it is no slab of the class any more.</summary>
    internal TimeSpan EmptiedSince { get; set; }

    /// <summary>The list it is in; -1 when it is in none.</summary>
    internal int Group { get; set; } = -1;

    /// <summary>A call to the system is about its free memory: no block is taken from it meanwhile.</summary>
    internal bool IsResting { get; set; }

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

        Pages.Use(Carved, count);
        Carved += count;
        return count;
    }

    /// <summary>Hands out blocks that came back, likewise; how many.</summary>
    internal int TakeFree(Span<nint> blocks)
    {
        int next = blocks.Length;
        for (int word = 0; next > 0 && FreeCount > 0; word++)
        {
            ulong bits = _free[word];
            while (bits != 0 && next > 0)
            {
                int block = (word * BitsPerWord) + BitOperations.TrailingZeroCount(bits);
                bits &= bits - 1;
                blocks[--next] = Start + (block * (nint)Owner.BlockSize);
                Pages.Use(block, 1);
                FreeCount--;
            }

            _free[word] = bits;
        }

        return blocks.Length - next;
    }

    /// <summary>Takes blocks back up to the first that is not one of this slab's that is out; how many.</summary>
    internal int Give(ReadOnlySpan<nint> blocks)
    {
        int given = 0;
        while (given < blocks.Length && TrySetFree(Owner.IndexOf(blocks[given] - Start)))
        {
            given++;
        }

        Pages.Touch();
        FreeCount += given;
        return given;
    }

    /// <summary>Whether the block came back or never was out.</summary>
    internal bool IsFree(nint block) => AreFree(Owner.IndexOf(block - Start), 1);

    /// <summary>Whether no block from <paramref name="first"/> on is out, of <paramref name="count"/>.</summary>
    internal bool AreFree(int first, int count)
    {
        int end = Math.Min(first + count, Carved);
        while (first < end)
        {
            int bits = Math.Min(end - first, BitsPerWord - (first % BitsPerWord));
            ulong wanted = (ulong.MaxValue >> (BitsPerWord - bits)) << (first % BitsPerWord);
            if ((_free[first / BitsPerWord] & wanted) != wanted)
            {
                return false;
            }

            first += bits;
        }

        return true;
    }

    private bool TrySetFree(int block)
    {
        if (block < 0 || block >= Carved)
        {
            return false;
        }

        ref ulong word = ref _free[block / BitsPerWord];
        ulong bit = 1UL << (block % BitsPerWord);
        if ((word & bit) != 0)
        {
            return false;
        }

        word |= bit;
        return true;
    }

    /// <summary>Checks the equations above.</summary>
    internal bool IsValid()
    {
        int bits = 0;
        foreach (ulong word in _free)
        {
            bits += BitOperations.PopCount(word);
        }

        bool below = true;
        for (int index = Carved; index < Owner.BlocksPerSlab; index++)
        {
            below &= (_free[index / BitsPerWord] & (1UL << (index % BitsPerWord))) == 0;
        }

        return below && bits == FreeCount && FreeCount <= Carved && Carved <= Owner.BlocksPerSlab && OutCount > 0
            && AvailableCount > 0 == Group >= 0 && !IsResting && AsideCount <= OutCount;
    }
}
