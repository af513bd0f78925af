using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// A stack of free blocks of one size class, moved whole between threads. What the fast path touches lies in pinned words.
/// </summary>
/// <remarks>
/// <para>Words, from <see cref="Words"/> on: <see cref="State"/> (blocks on the stack in the low 16 bits, blocks handed out so far in the
/// rest, so that both change with one store), <see cref="Capacity"/>, then the stack.</para>
/// <para>Only the thread that has the magazine loaded writes its words; everyone else only reads them, and that after the magazine was
/// taken out of the fast path's reach (<see cref="HeapSection"/>).</para>
/// <para>Free blocks: the stack's items from <see cref="Taken"/> on.</para>
/// </remarks>
internal sealed unsafe class BlockMagazine
{
    internal const int State = 0;
    internal const int Capacity = 1;
    internal const int Items = 2;

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
    internal static BlockMagazine Closed { get; } = new(room: 0);

    internal nint* Words { get; }

    /// <summary>The most items the stack can ever hold; <see cref="Capacity"/>, which is no more, is what the owner may put in.</summary>
    internal int Room { get; }

    /// <summary>
    /// Items at the bottom of the stack that a trimmer took while the magazine was out of reach; see <see cref="HeapSection"/>.
    /// </summary>
    internal int Taken { get; set; }

    /// <summary>When it came into the depot.</summary>
    internal TimeSpan Since { get; set; }

    /// <summary>Blocks on the stack, those that were <see cref="Taken"/> included.</summary>
    internal int Count => (ushort)Volatile.Read(ref Unsafe.AsRef<ulong>(Words + State));

    internal int FreeCount => Count - Taken;

    /// <summary>Blocks handed out since <see cref="HarvestPops"/>.</summary>
    internal long Pops => (long)(Volatile.Read(ref Unsafe.AsRef<ulong>(Words + State)) / OnePop);

    internal ReadOnlySpan<nint> Stack => new(Words + Items + Taken, Count - Taken);

    /// <summary>Lets the owner put in <paramref name="capacity"/> blocks.</summary>
    internal void Open(int capacity) => Words[Capacity] = capacity;

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
        int count = Count;
        if (count == 0)
        {
            return 0;
        }

        *(ulong*)Words += OnePop - 1;
        return Words[Items + count - 1];
    }

    /// <summary>The memory of the lowest <paramref name="count"/> items.</summary>
    internal Span<nint> Free(int count) => new(Words + Items, count);

    /// <summary>Puts blocks into the empty stack. For the owner.</summary>
    internal void Put(ReadOnlySpan<nint> blocks)
    {
        blocks.CopyTo(Free(Room));
        Fill(blocks.Length);
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

    /// <summary>
    /// Moves a quarter of the blocks into <paramref name="other"/>, as far as that has room. When two magazines change places, one of them
    /// is full and one empty, and the next few calls in the other direction would change them back. For the owner of both.
    /// </summary>
    internal void MoveQuarterTo(BlockMagazine other, bool fromTop)
    {
        int count = Count;
        int there = other.Count;
        int moved = Math.Min(count / 4, (int)other.Words[Capacity] - there);
        if (moved <= 0)
        {
            return;
        }

        Span<nint> stack = new(Words + Items, count);
        (fromTop ? stack[^moved..] : stack[..moved]).CopyTo(new Span<nint>(other.Words + Items + there, moved));
        if (!fromTop)
        {
            stack[moved..].CopyTo(stack);
        }

        Fill(count - moved);
        other.Fill(there + moved);
    }

    /// <summary>Moves the topmost blocks onto <paramref name="other"/>, which has the room; none of this one's were taken.</summary>
    internal void MoveTop(int count, BlockMagazine other)
    {
        int rest = Count - count;
        int there = other.Count;
        new ReadOnlySpan<nint>(Words + Items + rest, count).CopyTo(new Span<nint>(other.Words + Items + there, count));
        Fill(rest);
        other.Fill(there + count);
    }

    /// <summary>Moves everything, counts too, into <paramref name="larger"/>. For the owner.</summary>
    internal void MoveTo(BlockMagazine larger)
    {
        Stack.CopyTo(new Span<nint>(larger.Words + Items, larger.Room));
        larger.Words[State] = Words[State];
        Words[State] = 0;
    }
}
