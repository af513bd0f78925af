using Tarn.Tests.Model;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// A fixed program over everything that may need memory of the operating system, which may refuse it anywhere: each step succeeds or
/// throws <see cref="OutOfMemoryException"/> and has then changed nothing.
/// </summary>
internal sealed unsafe class RefusedProgram(FailingMemory memory, ManualClock clock, NativeHeapOptions options) : IDisposable
{
    private static readonly nuint[] s_sizes =
        [4, 1000, 20_000, 262_144, 262_145, 600_000, 100];

    private Worker? _worker = new();
    private HeapModel? _model;

    /// <summary>Steps that threw.</summary>
    internal int Failures { get; private set; }

    /// <summary>Runs the whole program while the system makes the refusals that the caller chose.</summary>
    internal void Run()
    {
        if (!TryMake())
        {
            return;
        }

        AllocateAll();
        _worker!.Run(AllocateAll);
        ReallocateAll();
        FreeHalf();
        _worker!.Run(FreeHalf);
        _model!.Heap.Trim();
        AllocateAll();
        clock.Advance(options.IdleTimeout * 2);
        Verify();
        ReallocateAll();
        Aligned();
        FreeHalf();
    }

    /// <summary>Now that the system refuses nothing: everything works, and in the end nothing is left.</summary>
    internal void RunToTheEnd()
    {
        memory.RefuseNothing();
        _model ??= new HeapModel(options);
        int failures = Failures;
        AllocateAll();
        _worker!.Run(AllocateAll);
        ReallocateAll();
        Assert.Equal(failures, Failures);
        Verify();
        while (_model.Live.Count > 0)
        {
            FreeLast();
        }

        Verify();
        EndWorker();
        _model.Heap.Trim();
        Assert.Equal(0, _model.Heap.GetStatistics().RetainedBytes);
        Assert.Equal((long)memory.CommittedBytes, _model.Heap.GetStatistics().CommittedBytes);
    }

    public void Dispose()
    {
        EndWorker();
        _model?.Heap.Dispose();
    }

    /// <summary>Of a thread that lives, a trim leaves one block of each size it used; of one that ended, none.</summary>
    private void EndWorker()
    {
        _worker?.Dispose();
        _worker = null;
    }

    private bool TryMake()
    {
        try
        {
            _model = new HeapModel(options);
            return true;
        }
        catch (OutOfMemoryException)
        {
            Failures++;
            Assert.Empty(memory.Reservations);
            return false;
        }
    }

    private void AllocateAll()
    {
        NativeHeap heap = _model!.Heap;
        foreach (nuint size in s_sizes)
        {
            for (int i = 0; i < (size > 100_000 ? 2 : 4); i++)
            {
                Try(() => _model.Add(heap.Allocate(size), size, 0));
            }

            Try(() =>
            {
                void* cleared = heap.AllocateZeroed(size);
                Assert.True(BlockContents.IsAll(cleared, size, 0), $"A block of {size} bytes was not cleared.");
                _model.Add(cleared, size, 0);
            });
            nuint whole = NativeHeap.GetBlockSize(size);
            Try(() => _model.Add(heap.Allocate(whole), whole, 0));
        }
    }

    private void Aligned()
    {
        for (nuint alignment = 64; alignment <= BlockSizes.LargestAlignment; alignment *= 8)
        {
            Try(() => _model!.Add(_model.Heap.AllocateAligned(100, alignment), 100, alignment));
        }
    }

    private void ReallocateAll()
    {
        foreach (LiveBlock block in _model!.Live.Where(static block => block.Alignment == 0).ToArray())
        {
            nuint size = block.Requested * 2;
            Try(() =>
            {
                void* moved = _model.Heap.Reallocate((void*)block.Address, block.Requested, size);
                _model.Live.Remove(block);
                BlockContents.VerifyStart(moved, block.Usable, block.Requested, block.Stamp);
                _model.Add(moved, size, 0);
            });
        }
    }

    private void FreeHalf()
    {
        for (int i = _model!.Live.Count / 2; i > 0; i--)
        {
            FreeLast();
        }

        Verify();
    }

    /// <summary>Never fails, whatever the system refuses.</summary>
    private void FreeLast()
    {
        LiveBlock block = _model!.Live[^1];
        _model.Live.RemoveAt(_model.Live.Count - 1);
        _model.VerifyContents(block);
        if (block.Alignment == 0)
        {
            _model.Heap.Free((void*)block.Address, block.Requested);
        }
        else
        {
            _model.Heap.FreeAligned((void*)block.Address, block.Requested, block.Alignment);
        }
    }

    private void Try(Action step)
    {
        int refused = memory.Refused;
        try
        {
            step();
        }
        catch (OutOfMemoryException)
        {
            Failures++;
            Assert.True(memory.Refused > refused, "A step failed though the system refused nothing.");
            _model!.VerifyCounters();
            _model.Heap.Validate();
        }
    }

    private void Verify()
    {
        _model!.VerifyCounters();
        _model.VerifyBlocks();
    }
}
