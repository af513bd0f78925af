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
    private readonly List<(nint Block, int Index)> _live = [];
    private readonly long[] _inUse = new long[BlockSizes.SlabClassCount];
    private readonly long[] _peak = new long[BlockSizes.SlabClassCount];
    private readonly int[] _sizes;
    private readonly NativeHeap _heap;
    private readonly long _cap;

    /// <summary>The most that threads were allowed so far.</summary>
    private long _mostRoom;

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
            _workers[thread].Run(() => FreeSome(200));
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
                AllocateSome(count);
                break;
            case Role.Frees:
                FreeSome(count);
                break;
            default:
                for (int i = _random.Next(8); i >= 0; i--)
                {
                    AllocateSome(count);
                    FreeSome(count);
                }

                break;
        }
    }

    private void AllocateSome(int count)
    {
        int index = _sizes[_random.Next(_sizes.Length)];
        nuint size = BlockSizes.SizeOf(index);
        count = (int)Math.Min(count, Math.Max(1, (8 << 20) / (long)size));
        for (int i = 0; i < count && _live.Count < 20_000; i++)
        {
            _live.Add(((nint)_heap.Allocate(size), index));
            _peak[index] = Math.Max(_peak[index], ++_inUse[index]);
        }
    }

    private void FreeSome(int count)
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
        }
    }

    private void Verify()
    {
        _heap.Validate();
        Assert.InRange(_heap.Core.Budget.Granted, 0, _cap + (Threads * _sizes.Length * (4L << 20)));
        long[] cached = new long[BlockSizes.SlabClassCount];
        long room = 0;
        foreach (HeapSection section in _heap.Core.GetSections())
        {
            long own = 0;
            foreach (BlockClassCache? cache in section.Classes)
            {
                if (cache is not null)
                {
                    nuint size = cache.Shared.BlockSize;
                    Assert.InRange(cache.FreeCount, 0, cache.Room);
                    Assert.InRange(cache.Room, 0, BlockRoom.Of(size).BothWays);
                    own += Math.Min(cache.FreeCount, BlockRoom.Of(size).Guaranteed) * (long)size;
                    room += cache.Room * (long)size;
                    cached[cache.Shared.Index] += cache.FreeCount;
                }
            }

            Assert.InRange(own, 0, 80 << 10);
        }


        // What was granted while another thread was not yet there, or while the depots had more, stays until a tick.
        _mostRoom = Math.Max(_mostRoom, _heap.Core.ThreadRoom.Limit);
        Assert.InRange(room, 0, _mostRoom + (Threads * (80 << 10)));
        foreach (BlockClass shared in _heap.Core.Classes)
        {
            // A slab is added only when all blocks of the others are out: in use, or in caches, which hold no more than threads may keep.
            long most = _peak[shared.Index] + (Threads * BlockRoom.Of(shared.BlockSize).BothWays);
            Assert.True(
                (shared.Slabs.SlabCount - 1L) * shared.Slabs.BlocksPerSlab <= most,
                $"{shared.Slabs.SlabCount} slabs of class {shared.Index} for {_peak[shared.Index]} blocks in use at most.");
            Assert.True(
                shared.DepotCount + cached[shared.Index] <= most, $"{shared.DepotCount} blocks lie in the depot of class {shared.Index}.");
        }
    }
}
