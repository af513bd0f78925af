using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Native;

/// <summary>A thread's stack of free blocks of one size class. The fast path touches only its pinned words.</summary>
/// <remarks>
/// <para>Words, from <see cref="Words"/> on: <see cref="State"/> (in the low 16 bits the offset of the topmost item, in bytes, and in the
/// rest the blocks handed out so far, so that both change with one store), <see cref="Capacity"/> (that offset when the stack is full),
/// then the stack.</para>
/// <para>Only the thread writes its magazine's words. Other threads only read them, after moving the magazine out of the fast path's reach
/// (<see cref="HeapSection"/>).</para>
/// <para>Free blocks: the stack's items from <see cref="Taken"/> on.</para>
/// </remarks>
internal sealed unsafe class BlockMagazine
{
    internal const int State = 0;
    internal const int Capacity = 1;
    internal const int Items = 2;

    /// <summary>The amount added to <see cref="State"/> for each block on the stack: the size of an item.</summary>
    internal const ulong OneBlock = sizeof(ulong);

    /// <summary>The part of <see cref="State"/> that is the offset of the topmost item.</summary>
    internal const ulong Top = OnePop - 1;

    /// <summary>The offset of the topmost item when there is none.</summary>
    internal const int Bottom = (Items - 1) * (int)OneBlock;

    /// <summary>The amount added to <see cref="State"/> for each block handed out.</summary>
    internal const ulong OnePop = 1 << 16;

    private const int LineWords = 8;

    private readonly ulong[] _storage;

    private BlockMagazine(int slots)
    {
        // Whole cache lines, so that two threads' magazines never share one.
        int words = (Items + slots + LineWords - 1) / LineWords * LineWords;
        _storage = GC.AllocateArray<ulong>(words + LineWords, pinned: true);
        nint start = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_storage));
        Words = (nint*)((start + (LineWords * sizeof(ulong)) - 1) & ~((nint)(LineWords * sizeof(ulong)) - 1));
        Slots = slots;
        Fill(0);
        Open(0);
    }

    /// <summary>The magazine of an entry without one: never written, so every access misses.</summary>
    internal static BlockMagazine Closed { get; } = new(slots: 0);

    internal nint* Words { get; }

    /// <summary>The most items the stack can hold. <see cref="Capacity"/>, which is never more, limits what the owner may push.</summary>
    internal int Slots { get; }

    /// <summary>
    /// The number of items at the bottom of the stack that a trimmer took while the magazine was out of reach; see
    /// <see cref="HeapSection"/>.
    /// </summary>
    internal int Taken { get; set; }

    /// <summary>Blocks on the stack, those that were <see cref="Taken"/> included.</summary>
    internal int Count => ((ushort)Volatile.Read(ref Unsafe.AsRef<ulong>(Words + State)) - Bottom) / (int)OneBlock;

    internal int FreeCount => Count - Taken;

    /// <summary>Blocks handed out so far.</summary>
    internal long Pops => (long)(Volatile.Read(ref Unsafe.AsRef<ulong>(Words + State)) / OnePop);

    internal ReadOnlySpan<nint> Stack => new(Words + Items + Taken, Count - Taken);

    /// <summary>The most blocks that the owner may push.</summary>
    internal int Limit => ((int)Words[Capacity] - Bottom) / (int)OneBlock;

    /// <summary>A magazine without blocks, with slots for <paramref name="slots"/>; null when there is no memory for one.</summary>
    internal static BlockMagazine? TryCreate(int slots)
    {
        try
        {
            return new BlockMagazine(slots);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>Lets the owner push up to <paramref name="limit"/> blocks.</summary>
    internal void Open(int limit) => Words[Capacity] = OffsetOf(limit);

    /// <summary>Pushes a block; false when there is no room. For the owner.</summary>
    internal bool TryPush(nint block) => TryPush(Words, block);

    /// <summary>Pushes a block on the magazine with these words; false when it has no room. For the owner.</summary>
    internal static bool TryPush(nint* words, nint block)
    {
        nuint top = (nuint)(*(ulong*)words & Top);
        if (top >= (nuint)words[Capacity])
        {
            return false;
        }

        *(ulong*)words += OneBlock;
        *(nint*)((byte*)(words + 1) + top) = block;
        return true;
    }

    /// <summary>Pops and counts a block; 0 when the stack is empty. For the owner.</summary>
    internal nint TryPop() => TryPop(Words);

    /// <summary>Pops and counts a block of the magazine with these words; 0 when its stack is empty. For the owner.</summary>
    internal static nint TryPop(nint* words)
    {
        nuint top = (nuint)(*(ulong*)words & Top);
        if (top == Bottom)
        {
            return 0;
        }

        *(ulong*)words += OnePop - OneBlock;
        return *(nint*)((byte*)words + top);
    }

    /// <summary>The memory of the lowest <paramref name="count"/> items.</summary>
    internal Span<nint> Lowest(int count) => new(Words + Items, count);

    /// <summary>Sets the number of blocks on the stack to <paramref name="count"/>, after the caller has written them.</summary>
    internal void Fill(int count)
    {
        Words[State] = (Words[State] & ~(nint)(OnePop - 1)) | OffsetOf(count);
        Taken = 0;
    }

    /// <summary>Removes the oldest blocks, and the items that were taken, and moves the rest down. For the owner.</summary>
    internal void RemoveOldest(int count)
    {
        ReadOnlySpan<nint> rest = Stack[count..];
        rest.CopyTo(Lowest(Slots));
        Fill(rest.Length);
    }

    /// <summary>Moves all blocks and counts to <paramref name="larger"/>. For the owner.</summary>
    internal void MoveTo(BlockMagazine larger)
    {
        Stack.CopyTo(larger.Lowest(larger.Slots));
        larger.Words[State] = Words[State];
        Words[State] = Bottom;
    }

    /// <summary>The offset of the topmost item of <paramref name="count"/>.</summary>
    private static nint OffsetOf(int count) => Bottom + (count * (nint)OneBlock);
}
