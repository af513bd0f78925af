using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// A random program of threads with roles, which change, against the bound on blow-up: after each step, the memory kept by every cache,
/// depot and class is compared with the memory in use. The page of the native heap has the same argument.
/// </summary>
/// <remarks>The threads take turns, so the model is exact.</remarks>
internal sealed unsafe class HeapBoundProgram : IDisposable
{
    private const int Threads = 4;

    private readonly Random _random;
    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly Worker[] _workers = [.. Enumerable.Range(0, Threads).Select(static _ => new Worker())];
    private readonly Role[] _roles = new Role[Threads];
    private readonly Dictionary<(int Thread, int Index), Flow> _flows = [];
    private readonly List<(nint Block, int Index)> _live = [];
    private readonly long[] _inUse = new long[BlockSizes.SlabClassCount];
    private readonly long[] _peak = new long[BlockSizes.SlabClassCount];
    private readonly int[] _sizes;
    private readonly NativeHeap _heap;
    private readonly long _cap;

    internal HeapBoundProgram(int seed)
    {
        _random = new Random(seed);
        _cap = _random.Next(3) == 0 ? _random.Next(4 << 20) : 1L << 30;
        _sizes = [.. Enumerable.Range(0, _random.Next(1, 12)).Select(_ => _random.Next(BlockSizes.SlabClassCount))];
        _heap = new NativeHeap(new NativeHeapOptions
        {
            MaxRetainedBytes = _cap,
            IdleTimeout = TimeSpan.FromSeconds(1),
            Checks = BufferChecks.None,
            Clock = _clock.Trim,
        });
        for (int thread = 0; thread < Threads; thread++)
        {
            _roles[thread] = (Role)_random.Next(3);
        }
    }

    private enum Role
    {
        Allocates,
        Frees,
        Both,
    }

    public void Dispose()
    {
        Array.ForEach(_workers, static worker => worker.Dispose());
        _heap.Dispose();
    }

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            int thread = _random.Next(Threads);
            _workers[thread].Run(() => Step(thread));
            Verify();
            switch (_random.Next(20))
            {
                case 0:
                    _roles[thread] = (Role)_random.Next(3);
                    break;
                case 1:
                    _clock.Advance(TimeSpan.FromSeconds(_random.NextDouble()));
                    break;
            }
        }

        for (int thread = 0; _live.Count > 0; thread = (thread + 1) % Threads)
        {
            _workers[thread].Run(() => FreeSome(thread, 200));
            Verify();
        }

        _clock.Advance(TimeSpan.FromSeconds(3));
        Verify();
        Assert.All(
            _heap.Core.GetSections().SelectMany(static section => section.Classes),
            static cache => Assert.InRange(cache?.FreeCount ?? 0, 0, 1));
    }

    private void Step(int thread)
    {
        int count = _random.Next(_random.Next(4) == 0 ? 600 : 30);
        switch (_roles[thread])
        {
            case Role.Allocates:
                AllocateSome(thread, count);
                break;
            case Role.Frees:
                FreeSome(thread, count);
                break;
            default:
                for (int i = _random.Next(8); i >= 0; i--)
                {
                    AllocateSome(thread, count);
                    FreeSome(thread, count);
                }

                break;
        }
    }

    private void AllocateSome(int thread, int count)
    {
        int index = _sizes[_random.Next(_sizes.Length)];
        nuint size = BlockSizes.SizeOf(index);
        count = (int)Math.Min(count, Math.Max(1, (8 << 20) / (long)size));
        for (int i = 0; i < count && _live.Count < 20_000; i++)
        {
            _live.Add(((nint)_heap.Allocate(size), index));
            _peak[index] = Math.Max(_peak[index], ++_inUse[index]);
            FlowOf(thread, index).Add(1);
        }
    }

    private void FreeSome(int thread, int count)
    {
        bool fromTop = _random.Next(2) == 0;
        for (int i = 0; i < count && _live.Count > 0; i++)
        {
            int at = fromTop ? _live.Count - 1 : _random.Next(_live.Count);
            (nint block, int index) = _live[at];
            _live[at] = _live[^1];
            _live.RemoveAt(_live.Count - 1);
            _heap.Free((void*)block, BlockSizes.SizeOf(index));
            _inUse[index]--;
            FlowOf(thread, index).Add(-1);
        }
    }

    private Flow FlowOf(int thread, int index)
    {
        if (!_flows.TryGetValue((thread, index), out Flow? flow))
        {
            _flows.Add((thread, index), flow = new Flow());
        }

        return flow;
    }

    private void Verify()
    {
        _heap.Validate();
        Assert.InRange(_heap.Core.Budget.Granted, 0, _cap + (Threads * _sizes.Length * (4L << 20)));
        long[] cached = new long[BlockSizes.SlabClassCount];
        foreach (HeapSection section in _heap.Core.GetSections())
        {
            long unearned = 0;
            foreach (BlockClassCache? cache in section.Classes)
            {
                if (cache is null)
                {
                    continue;
                }

                int index = cache.Shared.Index;
                int free = BlockRoom.UnearnedOf(cache.Shared.BlockSize, _cap);
                long lent = BlockRoom.BorrowableOf(cache.Shared.BlockSize, 0, _cap);
                long burst = _flows.Where(flow => flow.Key.Index == index).Select(static flow => flow.Value.Burst).Append(0).Max();

                // The point between two overflows at which a climb began is unknown, so a thread earns up to twice a burst.
                long earned = 2 * burst;
                Assert.True(cache.FreeCount <= cache.Room, "A cache holds more than it has room for.");
                Assert.True(
                    cache.FreeCount <= Math.Max(Math.Max(free + lent, earned), 1),
                    $"A thread keeps {cache.FreeCount} blocks of class {index}, {free} are free to keep, and "
                        + $"the largest burst was {burst}.");
                unearned += Math.Max(0, cache.FreeCount - earned) * (long)cache.Shared.BlockSize;
                cached[index] += cache.FreeCount;
            }

            Assert.InRange(unearned, 0, BlockRoom.UnearnedBytes);
        }

        foreach (BlockClass shared in _heap.Core.Classes)
        {
            // A slab is added only when all blocks of the others are out: in use, or in caches, which hold no more than threads may keep.
            long most = _peak[shared.Index] + MostCached(shared);
            Assert.True(
                (shared.Slabs.SlabCount - 1L) * shared.Slabs.BlocksPerSlab <= most,
                $"{shared.Slabs.SlabCount} slabs of class {shared.Index} for {_peak[shared.Index]} blocks in use at most.");
            Assert.True(
                shared.DepotCount + cached[shared.Index] <= most, $"{shared.DepotCount} blocks lie in the depot of class {shared.Index}.");
        }
    }

    private long MostCached(BlockClass shared)
    {
        long unearned = BlockRoom.UnearnedOf(shared.BlockSize, _cap) + BlockRoom.BorrowableOf(shared.BlockSize, 0, _cap);
        return Enumerable.Range(0, Threads).Sum(
            thread => _flows.TryGetValue((thread, shared.Index), out Flow? flow) ? Math.Max(Math.Max(unearned, 2 * flow.Burst), 1) : 0);
    }

    /// <summary>A thread's allocations less its frees of a class, and how far that has gone up from a low.</summary>
    private sealed class Flow
    {
        private long _net;
        private long _low;

        internal long Burst { get; private set; }

        internal void Add(int change)
        {
            _net += change;
            _low = Math.Min(_low, _net);
            Burst = Math.Max(Burst, _net - _low);
        }
    }
}
