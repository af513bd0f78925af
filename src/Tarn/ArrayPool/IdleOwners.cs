using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The idle owners of a thread, first in, first out, with a queue behind them that all threads share.</summary>
/// <remarks>
/// <para>Invariant: the thread's own owners, those that it disposed, lie behind those it took from the shared queue. An own owner leaves
/// the ring only from its front, while more than <see cref="Delay"/> are in the ring. So at least <see cref="Delay"/> others were disposed
/// after it, on this thread.</para>
/// <para>A thread that disposes more than it rents passes <see cref="Batch"/> owners at a time to the shared queue, and a thread that rents
/// more takes as many from there. So a lock is taken once in many rents. The shared queue drops owners when it is full. Owners of ended
/// threads are collected.</para>
/// </remarks>
internal sealed class IdleOwners<T>
{
    /// <summary>The owners that must be disposed after an owner before it is handed out again.</summary>
    internal const int Delay = 64;

    private const int Batch = 64;
    private const int Capacity = 256;
    private const int SharedCapacity = 1024;

    private static readonly Shared s_shared = new();

    [ThreadStatic]
    private static IdleOwners<T>? t_ofThread;

    private Ring _ring = new(Capacity);

    private IdleOwners()
    {
    }

    /// <summary>Returns an idle owner, or a new one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static PooledMemoryOwner<T> Take() =>
        t_ofThread is { } own && own._ring.Count > Delay ? own._ring.TakeFirst() : TakeSlow();

    /// <summary>Takes an owner that was just disposed. Drops it if there is no memory to list it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Give(PooledMemoryOwner<T> owner)
    {
        if (t_ofThread is { } own && own._ring.Count < Capacity)
        {
            own._ring.AddLast(owner);
        }
        else
        {
            GiveSlow(owner);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PooledMemoryOwner<T> TakeSlow()
    {
        IdleOwners<T> own = t_ofThread ??= new IdleOwners<T>();
        return s_shared.MoveTo(ref own._ring) > 0 ? own._ring.TakeFirst() : new PooledMemoryOwner<T>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void GiveSlow(PooledMemoryOwner<T> owner)
    {
        IdleOwners<T> own;
        try
        {
            own = t_ofThread ??= new IdleOwners<T>();
        }
        catch (OutOfMemoryException)
        {
            return;
        }

        if (own._ring.Count == Capacity)
        {
            s_shared.MoveFrom(ref own._ring);
        }

        own._ring.AddLast(owner);
    }

    /// <summary>A queue of fixed capacity, a power of two, that also takes owners at its front.</summary>
    private struct Ring(int capacity)
    {
        private readonly PooledMemoryOwner<T>?[] _items = new PooledMemoryOwner<T>?[capacity];
        private int _first;

        internal int Count { get; private set; }

        internal readonly int Room => _items.Length - Count;

        internal PooledMemoryOwner<T> TakeFirst()
        {
            // The slot is cleared: an owner in use that its renter forgets is collected with its block.
            ref PooledMemoryOwner<T>? slot = ref SlotAt(_first);
            PooledMemoryOwner<T> owner = slot!;
            slot = null;
            _first++;
            Count--;
            return owner;
        }

        internal void AddLast(PooledMemoryOwner<T> owner)
        {
            SlotAt(_first + Count) = owner;
            Count++;
        }

        internal void AddFirst(PooledMemoryOwner<T> owner)
        {
            _first--;
            SlotAt(_first) = owner;
            Count++;
        }

        private readonly ref PooledMemoryOwner<T>? SlotAt(int index) => ref _items[index & (_items.Length - 1)];
    }

    /// <summary>The queue that all threads share.</summary>
    private sealed class Shared
    {
        private ShortLock _lock;
        private Ring _owners = new(SharedCapacity);

        /// <summary>Moves up to a batch to the front of a thread's ring. Returns their number.</summary>
        internal int MoveTo(ref Ring ring)
        {
            using ShortLock.Holding holding = _lock.Hold();
            int count = Math.Min(Batch, _owners.Count);
            for (int i = 0; i < count; i++)
            {
                ring.AddFirst(_owners.TakeFirst());
            }

            return count;
        }

        /// <summary>Moves the batch at the front of a thread's ring here, and drops those that find no room.</summary>
        internal void MoveFrom(ref Ring ring)
        {
            using ShortLock.Holding holding = _lock.Hold();
            for (int i = 0; i < Batch; i++)
            {
                PooledMemoryOwner<T> owner = ring.TakeFirst();
                if (_owners.Room > 0)
                {
                    _owners.AddLast(owner);
                }
            }
        }
    }
}
