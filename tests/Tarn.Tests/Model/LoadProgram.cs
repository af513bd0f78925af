using System.Buffers.Binary;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// A random program of the kind servers are: threads that rent, hand over and return mixed lengths, die and are replaced, under a cap and
/// a clock that the test moves.
/// </summary>
/// <remarks>
/// The threads take turns, so <see cref="LoadModel"/> is exact. The cap and the contents of every buffer are verified at each turn;
/// everything else where a test asks for it.
/// </remarks>
internal sealed class LoadProgram : IDisposable
{
    internal static readonly TimeSpan IdleTimeout = TimeSpan.FromSeconds(10);

    private readonly Random _random;
    private readonly BufferPool<byte> _pool;
    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly List<Worker> _threads = [];
    private readonly List<(byte[] Array, long Stamp)> _out = [];
    private long _stamp;
    private long _allocated;

    internal LoadProgram(Random random, int threads, long cap)
    {
        _random = random;
        Cap = cap;
        _pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            MaxRetainedBytes = cap,
            IdleTimeout = IdleTimeout,
            Checks = BufferChecks.None,
            Clock = _clock.Trim,
        });
        for (int i = 0; i < threads; i++)
        {
            _threads.Add(new Worker());
            Model.AddThread();
        }
    }

    internal LoadModel Model { get; } = new();

    internal long Cap { get; }

    internal int Threads => _threads.Count;

    internal long RetainedBytes => _pool.GetStatistics().RetainedBytes;

    internal LoadShape DrawShape(int longest) => new(_random, Threads, longest);

    /// <summary>Runs a load until it has rented <paramref name="rents"/> times.</summary>
    internal void Run(LoadShape load, int rents)
    {
        for (long end = Model.Rents + rents; Model.Rents < end;)
        {
            int thread = _random.Next(Threads);
            int steps = _random.Next(1, 10);
            _threads[thread].Run(() =>
            {
                for (int step = 0; step < steps; step++)
                {
                    TakeStep(load, load.Roles[thread]);
                }
            });
            VerifyCap();
        }
    }

    /// <summary>As <see cref="Run(LoadShape, int)"/>, while the time passes evenly.</summary>
    internal void Run(LoadShape load, int rents, TimeSpan time)
    {
        const int steps = 20;
        for (int step = 0; step < steps; step++)
        {
            Run(load, rents / steps);
            Advance(time / steps);
        }
    }

    /// <summary>Ends one thread with its cache, and starts another.</summary>
    internal void ReplaceOne()
    {
        int index = _random.Next(Threads);
        _threads[index].Dispose();
        Model.EndThread();
        _threads[index] = new Worker();
        Model.AddThread();
    }

    internal void Advance(TimeSpan time)
    {
        _clock.Advance(time);
        VerifyCap();
    }

    /// <summary>The clock looks in once, and so after threads that ended.</summary>
    internal void Tick()
    {
        _clock.Tick();
        Model.NoteTick();
    }

    /// <summary>Any thread returns the buffers still in use.</summary>
    internal void ReturnAll() => _threads[0].Run(() =>
    {
        while (_out.Count > 0)
        {
            Return(_out.Count - 1);
        }
    });

    internal void Validate() => _pool.Core.Validate();

    public void Dispose() => _threads.ForEach(static thread => thread.Dispose());

    /// <summary>A thread rents a few, or returns a few, or both.</summary>
    private void TakeStep(LoadShape load, LoadRole role)
    {
        if (role == LoadRole.Both)
        {
            role = _random.Next(2) == 0 ? LoadRole.Rents : LoadRole.Returns;
        }

        int before = _out.Count;
        int count = _random.Next(1, load.Burst + 1);
        count = role switch
        {
            LoadRole.Rents => Math.Min(count, load.MostOut - before),
            LoadRole.Returns => Math.Min(count, before),
            _ => count,
        };
        for (int i = 0; i < count && role != LoadRole.Returns; i++)
        {
            Rent(load.DrawLength(_random));
        }

        for (int i = 0; i < count && role != LoadRole.Rents; i++)
        {
            int first = role == LoadRole.Loops ? before : 0;
            Return(load.Order switch
            {
                ReturnOrder.OldestFirst => first,
                ReturnOrder.NewestFirst => _out.Count - 1,
                _ => _random.Next(first, _out.Count),
            });
        }
    }

    private void Rent(int length)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        byte[] array = _pool.Rent(length);
        bool isNew = false;
        if (GC.GetAllocatedBytesForCurrentThread() - before >= array.Length)
        {
            // It may be new; or the pool made something else for itself.
            long allocated = _pool.GetStatistics().Allocated;
            isNew = allocated > _allocated;
            _allocated = allocated;
        }

        long stamp = ++_stamp;
        BinaryPrimitives.WriteInt64LittleEndian(array, stamp);
        BinaryPrimitives.WriteInt64LittleEndian(array.AsSpan()[^sizeof(long)..], ~stamp);
        _out.Add((array, stamp));
        Model.NoteRent(array.Length, isNew);
    }

    private void Return(int index)
    {
        (byte[] array, long stamp) = _out[index];
        _out.RemoveAt(index);
        long first = BinaryPrimitives.ReadInt64LittleEndian(array);
        long last = BinaryPrimitives.ReadInt64LittleEndian(array.AsSpan()[^sizeof(long)..]);
        if (first != stamp || last != ~stamp)
        {
            throw new InvalidOperationException(
                $"A buffer of {array.Length} stamped {stamp} holds {first} and {~last}: two callers had it.");
        }

        array.AsSpan(0, sizeof(long)).Clear();
        _pool.Return(array);
        Model.NoteReturn(array.Length);
    }

    private void VerifyCap()
    {
        BufferPoolStatistics now = _pool.GetStatistics();
        Assert.InRange(now.RetainedBytes, 0, Cap);
        Assert.Equal(Model.InUseBytes, now.InUseBytes);
    }
}
