using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Our own test of fragmentation: each worker allocates blocks of very different sizes until its table is full, then keeps a fifth of them,
/// another fifth each time, and frees older blocks in order and younger ones backwards. At the same time the main thread allocates small
/// blocks and hands them to the workers, which free them between their own. An operation is a block allocated and freed.
/// </summary>
internal sealed unsafe class ForeignWindow<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Places = 20_000;
    private const int Fills = 600;
    private const int Kept = 5;
    private const int NotesPerFill = 20_000;
    private const int NotesInFlight = 1_024;

    // Between two looks at its ring a worker allocates a few blocks of its own.
    private const int OwnBetweenNotes = 32;
    private const ulong Seed = 2_026;

    private readonly TAllocator _allocator;
    private readonly int _fills;
    private readonly long _notes;
    private readonly ulong _seed;
    private readonly PinnedTable<Block>[] _tables;
    private readonly BlockRing[] _rings;
    private readonly long[] _operations;
    private readonly WorkerThreads _threads = new();

    public ForeignWindow(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _fills = settings.Times(Fills);
        int places = settings.Live(Places, atLeast: Kept);
        _notes = (long)_fills * settings.Live(NotesPerFill);
        _seed = Seed + (ulong)(uint)settings.Seed;
        _tables = [.. Enumerable.Range(0, settings.Threads).Select(_ => new PinnedTable<Block>(places))];
        _rings = [.. _tables.Select(_ => new BlockRing(NotesInFlight))];
        _operations = new long[_tables.Length];
    }

    public override long Work()
    {
        Thread[] workers = [.. Enumerable.Range(0, _tables.Length).Select(index => _threads.Start(Live, index))];
        SendNotes();
        foreach (Thread worker in workers)
        {
            worker.Join();
        }

        _threads.ThrowIfFailed();
        return _operations.Sum();
    }

    private void SendNotes()
    {
        TAllocator allocator = _allocator;
        for (long number = 0; number < _notes; number++)
        {
            foreach (BlockRing ring in _rings)
            {
                Note* note = (Note*)allocator.Allocate((nuint)sizeof(Note));
                note->Self = note;
                note->Number = number;
                if (!ring.TryPush(note) && !ring.WaitAndPush(note, _threads))
                {
                    allocator.Free(note, (nuint)sizeof(Note));
                    return;
                }
            }
        }
    }

    private void Live(int index)
    {
        var random = new XorShiftGenerator(_seed + (ulong)index);
        PinnedTable<Block> table = _tables[index];
        long notesFreed = 0;
        int kept = 0;
        long allocated = 0;
        for (int fill = 0; fill < _fills; fill++)
        {
            for (int place = kept; place < table.Length; place += OwnBetweenNotes)
            {
                int end = Math.Min(place + OwnBetweenNotes, table.Length);
                Allocate(table.Pointer, place, end, ref random);
                notesFreed = FreeNotes(_rings[index], notesFreed);
                allocated += end - place;
            }

            kept = Slide(table.Pointer, table.Length, fill % Kept);
        }

        FreeForwards(table.Pointer, 0, kept);
        FreeLastNotes(_rings[index], notesFreed);
        _operations[index] = allocated + _notes;
    }

    private void Allocate(Block* blocks, int from, int to, ref XorShiftGenerator random)
    {
        TAllocator allocator = _allocator;
        for (int place = from; place < to; place++)
        {
            int size = SizeDraws.FallingEighths(random.Next());
            byte* bytes = (byte*)allocator.Allocate((nuint)size);
            bytes[0] = 1;
            bytes[size - 1] = 1;
            blocks[place].Address = bytes;
            blocks[place].Size = (nuint)size;
        }
    }

    /// <summary>Keeps one fifth of a full table, moves it to the table's start and returns how many blocks that are.</summary>
    private int Slide(Block* blocks, int count, int fifth)
    {
        int kept = count / Kept;
        int from = kept * fifth;
        FreeForwards(blocks, 0, from);
        FreeBackwards(blocks, from + kept, count);
        new ReadOnlySpan<Block>(blocks + from, kept).CopyTo(new Span<Block>(blocks, kept));
        return kept;
    }

    private void FreeForwards(Block* blocks, int from, int to)
    {
        TAllocator allocator = _allocator;
        for (int place = from; place < to; place++)
        {
            allocator.Free(blocks[place].Address, blocks[place].Size);
        }
    }

    private void FreeBackwards(Block* blocks, int from, int to)
    {
        TAllocator allocator = _allocator;
        for (int place = to - 1; place >= from; place--)
        {
            allocator.Free(blocks[place].Address, blocks[place].Size);
        }
    }

    /// <summary>Frees what has arrived and returns how many have by now.</summary>
    private long FreeNotes(BlockRing ring, long freed)
    {
        TAllocator allocator = _allocator;
        for (Note* note = (Note*)ring.TryPop(); note is not null; note = (Note*)ring.TryPop())
        {
            Note.Verify(note, freed++);
            allocator.Free(note, (nuint)sizeof(Note));
        }

        return freed;
    }

    private void FreeLastNotes(BlockRing ring, long freed)
    {
        SpinWait wait = default;
        while (freed < _notes && !_threads.HasFailed)
        {
            freed = FreeNotes(ring, freed);
            wait.SpinOnce(sleep1Threshold: -1);
        }
    }
}
