using System.Numerics;

namespace Tarn.Native;

/// <summary>A contiguous run of equal blocks. Guarded by the lock of its <see cref="BlockClass"/>.</summary>
/// <remarks>
/// <para>With n blocks a slab: <c>0 ≤ FreeCount ≤ Carved ≤ n</c>. Bits are set only below <c>Carved</c>, and <c>FreeCount</c> is their
/// number. Blocks from <c>Carved</c> on were never handed out. Blocks with a set bit came back. The other <c>Carved - FreeCount</c> blocks
/// are out: in use or in magazines. A slab with available blocks is listed unless it rests. When all its blocks have come back, it stops
/// being a slab.</para>
/// <para>Nothing is ever written into a block: its state is kept outside it.</para>
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

    /// <summary>The slab's unused OS pages and their ages.</summary>
    internal SlabPages Pages { get; } = new(owner);

    /// <summary>The number of blocks handed out at least once, which are the first ones.</summary>
    internal int Carved { get; private set; }

    /// <summary>Blocks that came back.</summary>
    internal int FreeCount { get; private set; }

    /// <summary>Blocks that the slab can hand out.</summary>
    internal int AvailableCount => Owner.BlocksPerSlab - Carved + FreeCount;

    /// <summary>Blocks in use or in magazines.</summary>
    internal int OutCount => Carved - FreeCount;

    /// <summary>Blocks that are out but not in use, because they are in a quarantine.</summary>
    internal int QuarantinedCount { get; set; }

    /// <summary>Whether no block is in use, and some are in a quarantine.</summary>
    internal bool IsQuarantined => QuarantinedCount > 0 && QuarantinedCount == OutCount;

    /// <summary>The neighbours among the slabs of the class that are as full; once it is emptied, the one emptied before.</summary>
    internal Slab? Next { get; set; }

    internal Slab? Before { get; set; }

    /// <summary>The time since which the slab has had no blocks in use, once it no longer belongs to the class.</summary>
    internal TimeSpan EmptiedSince { get; set; }

    /// <summary>The index of the list that contains the slab; -1 when none does.</summary>
    internal int Group { get; set; } = -1;

    /// <summary>Whether a call to the system works on the slab's free memory. No block is taken from the slab until it ends.</summary>
    internal bool IsResting { get; set; }

    /// <summary>Hands out blocks for the first time, in descending order of addresses. Returns their number.</summary>
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

    /// <summary>Hands out blocks that came back, in the same order. Returns their number.</summary>
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

    /// <summary>Takes blocks back, up to the first one that is not out or does not belong to this slab. Returns their number.</summary>
    internal int Give(ReadOnlySpan<nint> blocks, bool wereIdle)
    {
        int given = 0;
        for (; given < blocks.Length; given++)
        {
            int block = Owner.IndexOf(blocks[given] - Start);
            if (!TrySetFree(block))
            {
                break;
            }

            Pages.Return(block, wereIdle);
        }

        FreeCount += given;
        return given;
    }

    /// <summary>Whether the block came back or was never handed out.</summary>
    internal bool IsFree(nint block) => AreFree(Owner.IndexOf(block - Start), 1);

    /// <summary>Whether none of the <paramref name="count"/> blocks from <paramref name="first"/> on is out.</summary>
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
            && AvailableCount > 0 == Group >= 0 && !IsResting && QuarantinedCount <= OutCount;
    }
}
