using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// A random program over every entry point of two native heaps, on several threads one after the other, checked after each step
/// against a model that knows every block in use.
/// </summary>
/// <remarks>
/// The threads take turns, so the model is exact. Threads with caches end and others start. Heaps end with blocks in use and are recreated,
/// so that their remains may be reused. The program moves the clock, and makes memory scarce and plentiful.
/// </remarks>
internal sealed unsafe partial class HeapProgram : IDisposable
{
    private const int MaxLive = 600;

    private readonly Random _random;
    private readonly NativeHeapOptions _options;
    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly ProgramThreads _threads;
    private readonly HeapModel[] _heaps = new HeapModel[2];
    private readonly IncidentLog _incidents;

    /// <summary>Blocks that were in use when a heap that watches for leaks ended: the only incidents there are to be.</summary>
    private int _leaks;

    internal HeapProgram(int seed, NativeHeapOptions options)
    {
        _random = new Random(seed);
        _threads = new ProgramThreads(_random);
        _options = new NativeHeapOptions(options) { Clock = _clock.Trim, Name = $"program {Guid.NewGuid()}" };
        _incidents = new IncidentLog(_options.Name);
        _heaps[0] = new HeapModel(_options);
        _heaps[1] = new HeapModel(_options);
    }

    /// <summary>Runs the program to its end, frees all that is live, and looks that nothing is left.</summary>
    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            _threads.OnAny(Step);
            _threads.EndReplaced();
            foreach (HeapModel model in _heaps)
            {
                model.VerifyCounters();
            }

            if (step % 50 == 0)
            {
                VerifyAll();
            }
        }

        foreach (HeapModel model in _heaps)
        {
            while (model.Live.Count > 0)
            {
                _threads.OnAny(() => FreeOne(model));
            }
        }

        // Of a thread that lives, a trim leaves one block of each size it used; of one that ended, none.
        VerifyAll();
        _threads.Dispose();
        Array.ForEach(_heaps, VerifyTrimLeavesNothing);
        VerifyAll();
        IncidentLog.WaitUntilHandled();
        Assert.All(_incidents.All, static incident => Assert.Equal(BufferIncidentKind.Leak, incident.Kind));

        // Blocks allocated at one place are reported together.
        Assert.InRange(_incidents.Count, _leaks > 0 ? 1 : 0, _leaks);
    }

    public void Dispose()
    {
        _incidents.Dispose();
        _threads.Dispose();
        Array.ForEach(_heaps, static model => model.Heap.Dispose());
    }

    private void Step()
    {
        HeapModel model = _heaps[_random.Next(_heaps.Length)];
        switch (_random.Next(100))
        {
            case < 32 when model.Live.Count < MaxLive:
                for (int i = _random.Next(3) == 0 ? _random.Next(150) : _random.Next(3); i >= 0; i--)
                {
                    AllocateOne(model);
                }

                break;
            case < 64:
                for (int i = _random.Next(60); i >= 0 && model.Live.Count > 0; i--)
                {
                    FreeOne(model);
                }

                break;
            case < 74:
                for (int i = _random.Next(10); i >= 0; i--)
                {
                    ReallocateOne(model);
                }

                break;
            case < 82:
                _clock.Advance(_options.IdleTimeout * (_random.NextDouble() * 0.7));
                break;
            case < 86:
                _clock.Tick();
                break;
            case < 89:
                _clock.MemoryIsScarce = _random.Next(3) == 0;
                break;
            case < 92:
                Trim(model);
                break;
            case < 95:
                RefuseBadArguments(model);
                break;
            case < 97:
                ReplaceHeap();
                break;
            default:
                _threads.ReplaceOne();
                break;
        }
    }

    private static void Trim(HeapModel model)
    {
        // Caches of dead threads go back when any heap of the process searches for them, which must not happen between these three.
        lock (HeapThreads.Inheritance)
        {
            NativeHeapStatistics before = model.Heap.GetStatistics();
            long trimmed = model.Heap.Trim();
            NativeHeapStatistics after = model.Heap.GetStatistics();
            Assert.Equal(before.CommittedBytes - after.CommittedBytes, trimmed);
            Assert.Equal((before.InUseBytes, before.InUseBlocks), (after.InUseBytes, after.InUseBlocks));
        }
    }

    /// <summary>
    /// After a trim nothing is left except sections that threads of other tests took over from ended threads, as any new thread of the
    /// process may: those live, so one block of each size stays with each, and with it the slab that it lies in.
    /// </summary>
    private static void VerifyTrimLeavesNothing(HeapModel model)
    {
        // Such a thread may end at any moment, and its blocks then go back. This must not happen between these.
        lock (HeapThreads.Inheritance)
        {
            model.Heap.Trim();
            HeapCore core = model.Heap.Core;
            HeapSection? own = HeapThreads.Directory.Find(core.Index);
            HeapSection[] others = [.. core.GetSections().Where(section => section != own)];
            long retained = 0;
            foreach (BlockClass shared in core.Classes)
            {
                long[] left = [.. others.Select(section => (long)(section.Classes[shared.Index]?.FreeCount ?? 0))];
                Assert.All(left, static blocks => Assert.InRange(blocks, 0, 1));
                Assert.Equal(left.Sum(), shared.Slabs.OutCount);
                Assert.InRange(shared.Slabs.SlabCount, 0, left.Sum());
                retained += (shared.Slabs.OutCount + shared.Slabs.FreeCount) * (long)shared.BlockSize;
            }

            Assert.Equal(retained, model.Heap.GetStatistics().RetainedBytes);
            Assert.All(model.Heap.CountByClass(), static counted => Assert.Equal(0, counted.InUseBlocks));
        }
    }

    private void RefuseBadArguments(HeapModel model)
    {
        nuint impossible = nuint.MaxValue - ((nuint)_random.NextInt64(1L << 62) * (nuint)_random.Next(2));
        Assert.ThrowsAny<OutOfMemoryException>(() => { model.Heap.Allocate(impossible); });
        Assert.ThrowsAny<OutOfMemoryException>(() => { model.Heap.AllocateAligned(impossible, (nuint)1 << _random.Next(22)); });
        Assert.ThrowsAny<ArgumentException>(() => { model.Heap.AllocateAligned(10, 12); });
        if (model.Live.FindAll(static block => block.Alignment == 0) is { Count: > 0 } candidates)
        {
            LiveBlock block = candidates[_random.Next(candidates.Count)];
            Assert.ThrowsAny<OutOfMemoryException>(() => { model.Heap.Reallocate((void*)block.Address, block.Requested, impossible); });
            model.VerifyContents(block);
        }
    }

    /// <summary>Ends a heap with blocks still in use, so that the next heap may reuse its remains.</summary>
    private void ReplaceHeap()
    {
        int index = _random.Next(_heaps.Length);
        HeapModel ended = _heaps[index];
        _heaps[index] = new HeapModel(_options);
        _leaks += ended.IsChecked ? ended.Live.Count : 0;
        ended.Heap.Dispose();
        Assert.Throws<ObjectDisposedException>(() => { ended.Heap.Allocate(AnySize()); });
        if (ended.Live.Count > 0)
        {
            Assert.Throws<ObjectDisposedException>(() => ended.Heap.Free((void*)ended.Live[0].Address, ended.Live[0].Requested));
        }
    }

    private void VerifyAll()
    {
        foreach (HeapModel model in _heaps)
        {
            model.VerifyCounters();
            model.VerifyBlocks();
            model.Heap.Validate();
        }
    }
}
