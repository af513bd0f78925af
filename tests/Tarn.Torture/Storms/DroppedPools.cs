using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Tarn.Torture.Storms;

/// <summary>
/// Pools that come and go by the hundred, and finalizers that still use those that are gone. A pool and its users become unreachable
/// together, and their finalizers run in any order, while pools of other element types take the places of those that are gone.
/// </summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class DroppedPools(TrimClock clock)
{
    private const int Length = 100;
    private const int Depth = 3;

    private readonly ConcurrentQueue<string> _failures = [];
    private int _finalized;

    /// <summary>The violations found.</summary>
    internal IReadOnlyCollection<string> Failures => _failures;

    /// <summary>How many finalizers used their pool.</summary>
    internal int Finalized => Volatile.Read(ref _finalized);

    /// <summary>One pool and its user.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void DropOne() => _ = new LastUser<int>(this, Create<int>());

    private BufferPool<T> Create<T>() =>
        BufferPool<T>.Create(new BufferPoolOptions { Checks = BufferChecks.None, MaxRetainedBytes = 1 << 24, Clock = clock });

    /// <summary>Creates pools of several element types and their users, and keeps none of them.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Drop()
    {
        DropSome<byte>();
        DropSome<int>();
        DropSome<string>();
        DropSome<Guid>();
        DropSome<long>();

        void DropSome<T>()
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

    /// <summary>Uses new pools, of other element types too: they take the places of those that are gone.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void UseNew()
    {
        Use(Create<long>());
        Use(Create<object>());
        Use(Create<byte>());
        Use(Create<Guid>());
        Use(Create<short>());
    }

    /// <summary>Rents a few arrays at once, checks and returns them, twice, so that the pool rents out its retained arrays.</summary>
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
        private readonly DroppedPools _owner;
        private readonly BufferPool<T> _pool;
        private readonly T[] _array;

        internal LastUser(DroppedPools owner, BufferPool<T> pool)
        {
            _owner = owner;
            _pool = pool;
            owner.Use(pool);
            _array = pool.Rent(Length);
        }

        ~LastUser()
        {
            _owner.Use(_pool);
            _pool.Return(_array);
            _owner.Use(_pool);
            Interlocked.Increment(ref _owner._finalized);
        }
    }
}
