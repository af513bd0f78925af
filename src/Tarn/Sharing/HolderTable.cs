using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Counts the holders of one pooled buffer, knows each of them, and returns the buffer when the last one leaves.</summary>
/// <remarks>
/// <para>A holder is a word in a place of the table: its token. Handles (<see cref="CountedBuffer{T}"/>, <see cref="CountedSlice{T}"/>)
/// have the place and the token, so a handle whose place contains anything else was disposed. Tokens count up and are never used again,
/// not even for another buffer, so tables are reused and old handles stay refused.</para>
/// <para>One lock guards a table, for a few instructions (<see cref="BiasedLock"/>): free of atomic operations on the thread that rented
/// the buffer, until another thread comes, and two atomic operations a pair from then on. Reading takes no lock: see
/// <see cref="ArrayOf"/>.</para>
/// <para>Invariants, under the lock: <c>_count</c> places contain tokens. Every other place that was used since the buffer was rented is in
/// the list of free ones, where a place contains the complement of its successor's index. <c>_array</c> is null exactly while
/// <c>_count</c> is 0.</para>
/// </remarks>
internal sealed class HolderTable<T>(IdleTables<T> home, bool isOwned)
{
    private const int NoPlace = -1;

    private BiasedLock _lock = new(isOwned);
    private int _count;
    private int _free = NoPlace;

    /// <summary>The places that were used since the buffer was rented.</summary>
    private int _used;

    private long _lastToken;
    private HolderPlaces _places = new();
    private T[]? _array;
    private BufferPool<T>? _pool;

    /// <summary>What takes the array back; null for the pool.</summary>
    private IArrayOrigin<T>? _origin;
    private HolderLog? _log;

    /// <summary>The holders at this moment. For tests.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>Makes a buffer of <paramref name="pool"/> shared, and returns its first hold.</summary>
    internal Hold Begin(BufferPool<T> pool, T[] array, IArrayOrigin<T>? origin = null)
    {
        HolderLog? log = pool.Ledger?.Find(array)?.LogHolders();
        bool isOwner = _lock.Enter();
        _pool = pool;
        _origin = origin;
        _log = log;

        // A thread that sees the array also sees that the holds of the table's last buffer ended.
        Volatile.Write(ref _array, array);
        Hold hold = new(TakePlace(), _lastToken);
        _lock.Exit(isOwner);
        log?.Add(hold.Token);
        return hold;
    }

    /// <summary>The buffer of a hold; null when that was released.</summary>
    /// <remarks>
    /// The array is read first. It stays the same as long as any hold lasts. So if this hold still lasts afterwards, it is the hold's, even
    /// if another thread releases the hold at the same time and the table goes to another buffer.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal T[]? ArrayOf(Hold hold)
    {
        T[]? array = Volatile.Read(ref _array);
        ref long place = ref _places.At(hold.Place);
        return !Unsafe.IsNullRef(ref place) && Volatile.Read(ref place) == hold.Token ? array : null;
    }

    /// <summary>Adds a hold by the right of another.</summary>
    /// <param name="by">The other hold.</param>
    /// <param name="place">The place of the new hold.</param>
    /// <returns>The token of the new hold; 0 when the other one was released.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for another place; nothing has changed.</exception>
    internal long Retain(Hold by, out int place)
    {
        while (true)
        {
            bool isOwner = _lock.Enter();
            if (!IsHeld(by))
            {
                _lock.Exit(isOwner);
                place = NoPlace;
                return 0;
            }

            place = TakePlace();
            long token = _lastToken;
            HolderLog? log = _log;
            int places = _places.Count;
            _lock.Exit(isOwner);
            if (place == NoPlace)
            {
                AddPlaces(by, places);
                continue;
            }

            log?.Add(token);
            return token;
        }
    }

    /// <summary>Ends a hold, and puts another in its place. Returns the other's token; 0 when the hold ended before.</summary>
    internal long Move(Hold hold)
    {
        bool isOwner = _lock.Enter();
        if (!IsHeld(hold))
        {
            _lock.Exit(isOwner);
            return 0;
        }

        long token = ++_lastToken;
        Volatile.Write(ref _places.At(hold.Place), token);
        HolderLog? log = _log;
        _lock.Exit(isOwner);
        log?.Remove(hold.Token);
        log?.Add(token);
        return token;
    }

    /// <summary>Ends a hold, and returns the buffer if it was the last; false when it ended before.</summary>
    internal bool TryRelease(Hold hold)
    {
        bool isOwner = _lock.Enter();
        if (!IsHeld(hold))
        {
            _lock.Exit(isOwner);
            return false;
        }

        Volatile.Write(ref _places.At(hold.Place), ~(long)_free);
        _free = hold.Place;
        HolderLog? log = _log;
        if (--_count > 0)
        {
            _lock.Exit(isOwner);
            log?.Remove(hold.Token);
            return true;
        }

        End(isOwner);
        return true;
    }

    /// <summary>Provides the memory of a part of a hold's buffer; false when the hold was released.</summary>
    /// <remarks>The pool is read first, as <see cref="ArrayOf"/> reads the array.</remarks>
    internal bool TryGetMemory(Hold hold, int start, int length, out Memory<T> memory)
    {
        BufferPool<T>? pool = Volatile.Read(ref _pool);
        if (ArrayOf(hold) is not { } array)
        {
            memory = default;
            return false;
        }

        SharingThrow.IfTorn(start, length, array.Length);
        memory = pool!.IsPinned ? MemoryMarshal.CreateFromPinnedArray(array, start, length) : new Memory<T>(array, start, length);
        return true;
    }

    private bool IsHeld(Hold hold)
    {
        ref long place = ref _places.At(hold.Place);
        return !Unsafe.IsNullRef(ref place) && place == hold.Token;
    }

    /// <summary>Puts the next token in a free place; <see cref="NoPlace"/> if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int TakePlace()
    {
        int place = _free;
        if (place != NoPlace)
        {
            ref long free = ref _places.At(place);
            _free = (int)~free;
            Volatile.Write(ref free, ++_lastToken);
        }
        else if (_used < _places.Count)
        {
            place = _used++;
            Volatile.Write(ref _places.At(place), ++_lastToken);
        }
        else
        {
            return NoPlace;
        }

        _count++;
        return place;
    }

    /// <summary>Doubles the places, unless another thread has, or <paramref name="by"/> was released meanwhile.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddPlaces(Hold by, int count)
    {
        long[] next = HolderPlaces.RentNext(count);
        bool isAdded = false;
        try
        {
            isAdded = TryAddPlaces(by, count, next);
        }
        finally
        {
            if (!isAdded)
            {
                HolderPlaces.Return(next);
            }
        }
    }

    private bool TryAddPlaces(Hold by, int count, long[] next)
    {
        bool isOwner = _lock.Enter();
        bool isWanted = IsHeld(by) && _places.Count == count;
        if (isWanted)
        {
            _places.Add(next);
        }

        _lock.Exit(isOwner);
        return isWanted;
    }

    /// <summary>
    /// Leaves the lock, returns the buffer, cleared if its elements contain references, and makes the table free for another one.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void End(bool isOwner)
    {
        T[] array = _array!;
        BufferPool<T> pool = _pool!;
        IArrayOrigin<T>? origin = _origin;
        _array = null;
        _pool = null;
        _origin = null;
        _log = null;
        _used = 0;
        _free = NoPlace;
        _lock.Exit(isOwner);
        while (RemovePlaces() is { } unused)
        {
            HolderPlaces.Return(unused);
        }

        home.Add(this, isOwner);
        if (origin is not null)
        {
            origin.TakeBack(array);
        }
        else
        {
            pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }

    private long[]? RemovePlaces()
    {
        bool isOwner = _lock.Enter();
        long[]? last = _places.RemoveLast();
        _lock.Exit(isOwner);
        return last;
    }
}
