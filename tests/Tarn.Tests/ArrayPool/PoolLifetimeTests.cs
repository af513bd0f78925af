using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Pools that come and go by the hundred, and finalizers that still use those that are gone.</summary>
[Collection(Alone.Name)]
public sealed class PoolLifetimeTests
{
    private const int Length = 100;
    private const int Depth = 3;

    private readonly ManualClock _clock = new();
    private readonly ConcurrentQueue<string> _failures = [];
    private int _finalized;

    /// <summary>
    /// A pool and what uses it are found unreachable together, and their finalizers run in any order, while pools of other element types
    /// take the places of those that are gone, on every thread.
    /// </summary>
    [Fact]
    public void Finalizers_that_use_a_pool_collected_with_them_share_no_array_with_a_living_pool()
    {
        using Worker other = new();
        for (int round = 0; round < 60; round++)
        {
            DropPools();
            other.Run(DropPools);
            GC.Collect();
            UseNewPools();
            other.Run(UseNewPools);
            GC.WaitForPendingFinalizers();
            UseNewPools();
            other.Run(UseNewPools);
        }

        Assert.True(Volatile.Read(ref _finalized) > 0, "No finalizer used a pool.");
        Assert.True(_failures.IsEmpty, $"{_failures.Count} failures; the first: {_failures.FirstOrDefault()}");
    }

    [Fact]
    public void A_pool_that_is_gone_serves_its_last_users_by_allocating()
    {
        Drop();
        Eventually.TrueAfterCollections(() => Volatile.Read(ref _finalized) > 0, "the last user is finalized");
        Assert.True(_failures.IsEmpty, _failures.FirstOrDefault());

        [MethodImpl(MethodImplOptions.NoInlining)]
        void Drop() => Worker.RunOnce(() => _ = new LastUser<int>(this, Create<int>()));
    }

    private BufferPool<T> Create<T>() =>
        BufferPool<T>.Create(new BufferPoolOptions { Checks = BufferChecks.None, MaxRetainedBytes = 1 << 24, Clock = _clock.Trim });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DropPools()
    {
        Drop<byte>();
        Drop<int>();
        Drop<string>();
        Drop<Guid>();
        Drop<long>();

        void Drop<T>()
        {
            for (int i = 0; i < 4; i++)
            {
                BufferPool<T> pool = Create<T>();
                for (int user = 0; user < 3; user++)
                {
                    _ = new LastUser<T>(this, pool);
                }
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UseNewPools()
    {
        Use(Create<long>());
        Use(Create<object>());
        Use(Create<byte>());
        Use(Create<Guid>());
        Use(Create<short>());
    }

    /// <summary>Rents a few at once, looks at what came, and returns it, twice: what lies in the pool is handed out again.</summary>
    private void Use<T>(BufferPool<T> pool)
    {
        for (int round = 0; round < 2; round++)
        {
            T[][] rented = [.. Enumerable.Range(0, Depth).Select(_ => pool.Rent(Length))];
            if (rented.Distinct().Count() < Depth)
            {
                _failures.Enqueue($"{pool.GetType()} handed the same array out twice");
                return;
            }

            foreach (T[] array in rented)
            {
                // Not one element is touched before the type is known: it would be someone else's memory.
                Type type = ((object)array).GetType();
                if (type != typeof(T[]) || array.Length < Length)
                {
                    _failures.Enqueue($"BufferPool<{typeof(T).Name}>.Rent({Length}) gave a {type} of length {array.Length}");
                    return;
                }

                if (!Held.TryAdd(array, null))
                {
                    _failures.Enqueue($"BufferPool<{typeof(T).Name}> handed out an array that someone else holds");
                    return;
                }

                Array.Clear(array);
            }

            foreach (T[] array in rented)
            {
                Held.Remove(array);
                pool.Return(array);
            }
        }
    }

    /// <summary>Every array that somebody holds now, of all pools and threads.</summary>
    private ConditionalWeakTable<object, object?> Held { get; } = [];

    /// <summary>Uses its pool a last time when it is finalized, and leaves something in it for those that come after.</summary>
    private sealed class LastUser<T>
    {
        private readonly PoolLifetimeTests _test;
        private readonly BufferPool<T> _pool;
        private readonly T[] _array;

        internal LastUser(PoolLifetimeTests test, BufferPool<T> pool)
        {
            _test = test;
            _pool = pool;
            test.Use(pool);
            _array = pool.Rent(Length);
        }

        ~LastUser()
        {
            _test.Use(_pool);
            _pool.Return(_array);
            _test.Use(_pool);
            Interlocked.Increment(ref _test._finalized);
        }
    }
}
