using System.Buffers;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// A random program over every public member of two pools of the same element type, on several threads one after the other, checked
/// after each step against a model that knows every live buffer.
/// </summary>
/// <remarks>
/// The threads take turns, so the model is exact: contents, identity and counters are compared for equality. Threads end and start. Pools
/// are dropped and recreated, so that indices are reused. The program moves the clock, and makes memory scarce and plentiful.
/// </remarks>
internal sealed class PoolProgram<T> : IDisposable
{
    private const int MaxLive = 400;

    private readonly Random _random;
    private readonly Func<int, T> _element;
    private readonly BufferPoolOptions _options;
    private readonly ManualClock _clock = new();
    private readonly ProgramThreads _threads;
    private readonly PoolModel<T>[] _pools = new PoolModel<T>[2];
    private int _stamp;

    internal PoolProgram(int seed, Func<int, T> element, BufferPoolOptions options)
    {
        _random = new Random(seed);
        _threads = new ProgramThreads(_random);
        _element = element;
        _options = new BufferPoolOptions(options) { Clock = _clock.Trim };
        _pools[0] = new PoolModel<T>(_options);
        _pools[1] = new PoolModel<T>(_options);
    }

    private PoolModel<T> AnyPool => _pools[_random.Next(_pools.Length)];

    private bool IsChecked => (_options.Checks & BufferChecks.UseAfterReturn) != 0;

    /// <summary>Runs the program to its end, returns all that is live, and looks that nothing is left.</summary>
    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            _threads.OnAny(Step);
            Verify(validate: step % 50 == 0);
        }

        foreach (PoolModel<T> model in _pools)
        {
            while (model.Live.Count > 0)
            {
                _threads.OnAny(() => ReturnOne(model));
            }

            model.Pool.Trim();
        }

        Verify(validate: true);
        foreach (PoolModel<T> model in _pools)
        {
            BufferPoolStatistics end = model.Pool.GetStatistics();
            Assert.Equal((0, 0), (end.InUseBytes, end.RetainedBytes));
            Assert.Equal(0, model.Pool.Core.Budget.Granted);
            if (!IsChecked)
            {
                // Nothing got lost on the way: every buffer made was dropped or trimmed in the end.
                Assert.Equal(end.Allocated, end.Dropped + end.Trimmed);
            }
        }
    }

    public void Dispose() => _threads.Dispose();

    private void Step()
    {
        PoolModel<T> model = AnyPool;
        switch (_random.Next(100))
        {
            case < 25 when model.Live.Count < MaxLive:
                RentMany(model);
                break;
            case < 33 when model.Live.Count < MaxLive:
                Add(model, length => (model.Pool.RentExact(length), null), isExact: true);
                break;
            case < 41 when model.Live.Count < MaxLive:
                Add(model, length => Owned(model.Pool.LeaseMemory(length)), isExact: false);
                break;
            case < 44 when model.Live.Count < MaxLive:
                Add(model, length => Owned(model.Pool.AsMemoryPool().Rent(length)), isExact: false);
                break;
            case < 70:
                for (int i = _random.Next(40); i >= 0 && model.Live.Count > 0; i--)
                {
                    ReturnOne(model);
                }

                break;
            case < 76:
                Lease(model);
                break;
            case < 80:
                LeaseAndThrow(model);
                break;
            case < 88:
                _clock.Advance(_options.IdleTimeout * (_random.NextDouble() * 0.7));
                break;
            case < 91:
                _clock.Tick();
                break;
            case < 93:
                _clock.MemoryIsScarce = _random.Next(3) == 0;
                break;
            case < 95:
                Trim(model);
                break;
            case < 97:
                RefuseBadArguments(model);
                break;
            case < 98:
                DropPool();
                break;
            default:
                _threads.ReplaceOne();
                break;
        }
    }

    private int AnyLength() => _random.Next(10) switch
    {
        0 => 0,
        < 4 => _random.Next(1, 20),
        < 7 => 100,
        < 9 => _random.Next(1, 2000),
        _ => _random.Next(1, 30_000),
    };

    private void RentMany(PoolModel<T> model)
    {
        for (int i = _random.Next(3) == 0 ? _random.Next(150) : _random.Next(3); i >= 0; i--)
        {
            Add(model, length => (model.Pool.Rent(length), null), isExact: false);
        }
    }

    private void Add(PoolModel<T> model, Func<int, (T[] Array, IMemoryOwner<T>? Owner)> rent, bool isExact)
    {
        int length = AnyLength();
        (T[] array, IMemoryOwner<T>? owner) = rent(length);
        Assert.True(isExact ? array.Length == length : array.Length >= length, $"Asked for {length}, got {array.Length}.");
        LiveBuffer<T> buffer = new(array, length, ++_stamp, owner);
        array.AsSpan().Fill(_element(buffer.Stamp));
        model.Rented(array);
        if (array.Length > 0)
        {
            Assert.False(_pools.Any(other => other.Live.Any(live => ReferenceEquals(live.Array, array))), "One array, two callers.");
        }

        model.Live.Add(buffer);
    }

    private static (T[] Array, IMemoryOwner<T> Owner) Owned(IMemoryOwner<T> owner)
    {
        Assert.True(MemoryMarshal.TryGetArray<T>(owner.Memory, out ArraySegment<T> segment));
        return (segment.Array!, owner);
    }

    private void ReturnOne(PoolModel<T> model)
    {
        // Mostly the last, as stacks of calls do; else any.
        int at = _random.Next(3) > 0 ? model.Live.Count - 1 : _random.Next(model.Live.Count);
        LiveBuffer<T> buffer = model.Live[at];
        model.Live.RemoveAt(at);
        VerifyContents(buffer);
        if (buffer.Owner is { } owner)
        {
            // A checked memory pool reports every disposal after the first.
            for (int i = owner is CheckedMemoryOwner<T> ? 1 : _random.Next(1, 4); i > 0; i--)
            {
                owner.Dispose();
            }

            Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        }
        else
        {
            Return(model.Pool, buffer);
        }

        model.Returned(buffer.Array);
    }

    private void Return(BufferPool<T> pool, LiveBuffer<T> buffer)
    {
        int cleared = 0;
        switch (_random.Next(4))
        {
            case 0:
                pool.Return(buffer.Array, clearArray: true);
                cleared = buffer.Array.Length;
                break;
            case 1:
                cleared = _random.Next(buffer.Array.Length + 1);
                pool.Return(buffer.Array, usedLength: cleared);
                break;
            default:
                pool.Return(buffer.Array);
                break;
        }

        if (!IsChecked)
        {
            // The threads take turns, so the pool's contents may be examined here.
            AssertAll(buffer.Array.AsSpan(0, cleared), default!);
            AssertAll(buffer.Array.AsSpan(cleared), _element(buffer.Stamp));
        }
    }

    private void Lease(PoolModel<T> model)
    {
        int length = AnyLength();
        BufferLease<T> first = model.Pool.Lease(length);
        BufferLease<T> second = model.Pool.Lease(length);
        Assert.Equal(length, first.Span.Length);
        Assert.False(first.Span.Overlaps(second.Span), "Two leases share memory.");
        foreach (T[] array in (T[][])[first.Segment.Array!, second.Segment.Array!])
        {
            model.Rented(array);
            model.Returned(array);
        }

        first.Span.Fill(_element(-1));
        second.Span.Fill(_element(-2));
        AssertAll(first.Span, _element(-1));
        first.Dispose();
        AssertAll(second.Span, _element(-2));
        second.Dispose();
        first.Dispose();
        second.Dispose();
    }

    private void LeaseAndThrow(PoolModel<T> model)
    {
        int length = AnyLength();
        try
        {
            using BufferLease<T> lease = model.Pool.Lease(length);
            Assert.Equal(length, lease.Span.Length);
            throw new OperationCanceledException();
        }
        catch (OperationCanceledException)
        {
        }

        if (length > 0)
        {
            model.Rents++;
            model.Returns++;
        }
    }

    private static void Trim(PoolModel<T> model)
    {
        long retained = model.Pool.GetStatistics().RetainedBytes;
        Assert.Equal(retained, model.Pool.Trim());
        Assert.Equal(0, model.Pool.GetStatistics().RetainedBytes);
    }

    private void RefuseBadArguments(PoolModel<T> model)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => model.Pool.Rent(-_random.Next(1, 100)));
        Assert.Throws<ArgumentNullException>(() => model.Pool.Return(null!));

        const int foreign = 30_007;
        if (_options.MaxArrayLength > foreign)
        {
            // No program asks for this exact length, and it is no class's. (Longer than the longest class, any would be accepted.)
            Assert.ThrowsAny<Exception>(() => model.Pool.Return(new T[foreign], clearArray: true));
        }
    }

    /// <summary>Forgets a pool with everything still rented from it, and collects, so that its index may be used by the next.</summary>
    private void DropPool()
    {
        _pools[_random.Next(_pools.Length)] = new PoolModel<T>(_options);
        GC.Collect(0);
        if (_random.Next(4) == 0)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private void Verify(bool validate)
    {
        _threads.EndReplaced();
        foreach (PoolModel<T> model in _pools)
        {
            model.Verify();
            if (validate)
            {
                model.Pool.Core.Validate();
                model.Live.ForEach(VerifyContents);
            }
        }
    }

    private void VerifyContents(LiveBuffer<T> buffer) => AssertAll(buffer.Array, _element(buffer.Stamp));

    private static void AssertAll(ReadOnlySpan<T> span, T expected)
    {
        foreach (T element in span)
        {
            if (!EqualityComparer<T>.Default.Equals(element, expected))
            {
                Assert.Fail($"Found {element} where {expected} was written.");
            }
        }
    }
}
