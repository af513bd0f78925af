using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A stack of free blocks of one size class, moved whole between threads. What the fast path touches lies in pinned words.</summary>
/// <remarks>
/// <para>Words, from <see cref="Words"/> on: <see cref="State"/> (blocks on the stack in the low 16 bits, blocks handed out so far in the
/// rest), <see cref="Capacity"/>, <see cref="Top"/> (the block handed out first and taken back first), then the stack. A hot pair of calls
/// touches only the top, whose value depends on no count; a count that is stored and loaded again is a chain of latencies.</para>
/// <para>Only the thread that has the magazine loaded writes its words; everyone else only reads them, and that after the magazine was
/// taken out of the fast path's reach (<see cref="HeapSection"/>).</para>
/// <para>Free blocks: the top, unless it is <see cref="NoBlock"/>, and the stack's items from <see cref="Taken"/> on.</para>
/// </remarks>
internal sealed unsafe class BlockMagazine
{
    internal const int State = 0;
    internal const int Capacity = 1;
    internal const int Top = 2;
    internal const int Items = 3;

    /// <summary>The top when it is free to take a block.</summary>
    internal const nint NoBlock = 0;

    /// <summary>The top of <see cref="Closed"/>: neither a block nor room for one.</summary>
    internal const nint ClosedTop = 1;

    /// <summary>What <see cref="State"/> grows by when a block is handed out.</summary>
    internal const ulong OnePop = 1 << 16;

    private const int LineWords = 8;

    private readonly ulong[] _storage;

    internal BlockMagazine(int room)
    {
        // Whole cache lines, so that two threads' magazines never share one.
        int words = (Items + room + LineWords - 1) / LineWords * LineWords;
        _storage = GC.AllocateArray<ulong>(words + LineWords, pinned: true);
        nint start = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_storage));
        Words = (nint*)((start + (LineWords * sizeof(ulong)) - 1) & ~((nint)(LineWords * sizeof(ulong)) - 1));
        Room = room;
    }

    /// <summary>The magazine of an entry that has none: never written, so every access misses.</summary>
    internal static BlockMagazine Closed { get; } = CreateClosed();

    internal nint* Words { get; }

    /// <summary>The most items the stack can ever hold; <see cref="Capacity"/> is what the budget granted.</summary>
    internal int Room { get; }

    /// <summary>Bytes of the budget that stand for what this magazine may hold.</summary>
    internal long Granted { get; set; }

    /// <summary>Items at the bottom of the stack that a trimmer took while the magazine was out of reach; see <see cref="HeapSection"/>.</summary>
    internal int Taken { get; set; }

    /// <summary>When it came into the depot.</summary>
    internal TimeSpan Since { get; set; }

    /// <summary>Blocks on the stack, those that were <see cref="Taken"/> included.</summary>
    internal int Count => (ushort)Volatile.Read(ref Unsafe.AsRef<ulong>(Words + State));

    internal bool HasTop => Volatile.Read(ref Words[Top]) > ClosedTop;

    internal int FreeCount => Count - Taken + (HasTop ? 1 : 0);

    /// <summary>Blocks handed out since <see cref="HarvestPops"/>.</summary>
    internal long Pops => (long)(Volatile.Read(ref Unsafe.AsRef<ulong>(Words + State)) / OnePop);

    internal ReadOnlySpan<nint> Stack => new(Words + Items + Taken, Count - Taken);

    /// <summary>Grants the owner room for <paramref name="capacity"/> items beside the top.</summary>
    internal void Open(int capacity, long granted)
    {
        Words[Capacity] = capacity;
        Granted = granted;
    }

    /// <summary>Takes the count of blocks handed out; for the owner, or when there is none.</summary>
    internal long HarvestPops()
    {
        long pops = Pops;
        Words[State] = Count;
        return pops;
    }

    /// <summary>Puts a block in; false when there is no room. For the owner.</summary>
    internal bool TryPush(nint block)
    {
        if (Words[Capacity] == 0)
        {
            return false;
        }

        if (Words[Top] == NoBlock)
        {
            Words[Top] = block;
            return true;
        }

        int count = Count;
        if (count >= Words[Capacity])
        {
            return false;
        }

        Words[Items + count] = block;
        Words[State]++;
        return true;
    }

    /// <summary>Takes a block out and counts it; 0 when there is none. For the owner.</summary>
    internal nint TryPop()
    {
        nint top = Words[Top];
        if (top != NoBlock)
        {
            Words[Top] = NoBlock;
            *(ulong*)Words += OnePop;
            return top;
        }

        int count = Count;
        if (count == 0)
        {
            return 0;
        }

        *(ulong*)Words += OnePop - 1;
        return Words[Items + count - 1];
    }

    /// <summary>Says that the stack holds <paramref name="count"/> blocks, which the caller wrote.</summary>
    internal void Fill(int count)
    {
        Words[State] = (nint)(((ulong)Words[State] & ~(OnePop - 1)) | (uint)count);
        Taken = 0;
    }

    /// <summary>Forgets what was taken, moving the rest down. For the owner.</summary>
    internal void CloseGap()
    {
        if (Taken > 0)
        {
            ReadOnlySpan<nint> rest = Stack;
            rest.CopyTo(new Span<nint>(Words + Items, Room));
            Fill(rest.Length);
        }
    }

    /// <summary>Moves everything into <paramref name="larger"/>. For the owner.</summary>
    internal void MoveTo(BlockMagazine larger)
    {
        Stack.CopyTo(new Span<nint>(larger.Words + Items, larger.Room));
        larger.Words[Top] = Words[Top];
        larger.Words[State] = Words[State];
        Words[State] = 0;
        Words[Top] = NoBlock;
    }

    private static BlockMagazine CreateClosed()
    {
        BlockMagazine closed = new(room: 0);
        closed.Words[Top] = ClosedTop;
        return closed;
    }
}
