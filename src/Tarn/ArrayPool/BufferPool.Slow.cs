using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>The slow paths: misses, unusual lengths, clearing, checks, events.</content>
public sealed partial class BufferPool<T>
{
    /// <summary>The class that events report for a buffer outside all classes: -1, as in the BCL's events.</summary>
    private const uint NoClass = uint.MaxValue;

    /// <summary>The slow path of <see cref="Lease"/>.</summary>
    /// <remarks>
    /// The lease knows no entry. By now the thread's last rent may be another: listeners that the slow path calls may rent from another
    /// pool, which can be collected, with its entries, before this lease ends.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private BufferLease<T> LeaseSlow(int length)
    {
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        nint directory = PoolThreads.Local.Directory;
        T[] array = directory == 0
            ? RentSlow(length)
            : RentBehind(length, ref EntryIn(directory, SizeClass.IndexOf(length, _quarterMask)));
        return new BufferLease<T>(this, array, length, entry: 0);
    }

    /// <summary>
    /// The second tier of <see cref="Rent"/>: takes from the depot, if that has a buffer. A closed gate leads to entries with nothing
    /// behind them, so there is nothing to check, to count or to tell.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T[] RentBehind(int minimumLength, ref CacheEntry entry) =>
        entry.Cache is { } cache && _core.Take(cache) is { } found ? Unsafe.As<T[]>(found) : RentSlow(minimumLength);

    /// <summary>The second tier of the returns, for a buffer of the entry's class: hands buffers on to the depot, if it has room.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnBehind(T[] array, ref CacheEntry entry)
    {
        if (entry.Cache is not { } cache || !PoolCore.TryGive(array, cache))
        {
            ReturnSlow(array, clearLength: 0);
        }
    }

    /// <summary>The slow path of <see cref="Rent"/>.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T[] RentSlow(int minimumLength)
    {
        if (minimumLength <= 0)
        {
            if (minimumLength < 0)
            {
                Throw.NegativeLength(nameof(minimumLength), minimumLength);
            }

            return [];
        }

        using BudgetCredit credit = TakeAhead(LengthOfRent(minimumLength));
        try
        {
            return _isSampled ? RentCounted(minimumLength) : RentUncounted(minimumLength);
        }
        catch (OutOfMemoryException) when (MayFit(minimumLength))
        {
            if (!TryGiveUpAll(minimumLength))
            {
                throw;
            }
        }

        return _isSampled ? RentCounted(minimumLength) : RentUncounted(minimumLength);
    }

    /// <summary>Whether the runtime has arrays of this length. It says that there is no memory for one that is longer.</summary>
    private static bool MayFit(int length) => length <= Array.MaxLength;

    /// <summary>
    /// The last resort before an <see cref="OutOfMemoryException"/>: everything that is idle in the process goes. Returns whether another
    /// try is worth while.
    /// </summary>
    private bool TryGiveUpAll(int length) => _core.Schedule.Clock.Relief.TryGiveUpAll(SizeOf(length));

    /// <summary>Rents a buffer of at least 1 element that the fast path did not find.</summary>
    private T[] RentUncounted(int minimumLength)
    {
        if (minimumLength > _core.MaxLength)
        {
            return HandUncached(idle: null, minimumLength, TarnEventSource.AllocationReason.OverMaximumSize, NoClass);
        }

        uint index = _core.IndexOf(minimumLength);
        if (_quarantine is not null)
        {
            int length = _core.LengthOf(index);
            return HandUncached(_quarantine.Take(length), length, TarnEventSource.AllocationReason.PoolExhausted, index);
        }

        Array? free = _core.Take(index) ?? (PoolCore.AdoptOne() ? _core.Take(index) : null);
        T[] array = Unsafe.As<T[]>(free) ?? AllocateFor(index);
        return Hand(array, index);
    }

    /// <summary>
    /// The slow path of the returns. Clears the first <paramref name="clearLength"/> elements, or more if the options require it.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnSlow(T[] array, int clearLength)
    {
        if (array.Length == 0)
        {
            return;
        }

        _ledger?.BeforeReturn(array, SizeOf(array));
        bool isOver = array.Length > _core.MaxLength;
        uint index = isOver ? 0 : _core.IndexOf(array.Length);
        bool isClass = !isOver && _core.LengthOf(index) == array.Length;
        Verify(array, isKnownLength: isOver || isClass);
        if (clearLength > 0 || _alwaysSlow || _traced || !isClass)
        {
            RefuseSecond(array, index, isClass);
        }

        _ledger?.OnReturned(array);
        Clear(array, clearLength);
        bool wasSampled = FollowedArrays.TryEnd(array);
        if (_traced)
        {
            TarnEventSource.Log?.BufferReturned(RuntimeHelpers.GetHashCode(array), array.Length, _core.EventId);
        }

        // An array of the longest class is sampled with one more element.
        bool isOdd = wasSampled && !_alwaysSlow && array.Length == _core.MaxLength + 1;
        if (!Keep(array, index, isOver && !isOdd, isClass) && TarnEventSource.IsHeard)
        {
            TarnEventSource.Log?.BufferDropped(
                RuntimeHelpers.GetHashCode(array), array.Length, _core.EventId, (int)(isClass ? index : NoClass),
                isOver ? TarnEventSource.DropReason.OverMaximumSize : TarnEventSource.DropReason.Full);
        }

        _budget?.Return(SizeOf(array));
    }

    /// <summary>Ends a lease whose buffer is no longer the top one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void ReturnLeased(T[] array) => Return(array);

    /// <summary>Refuses an array that this pool cannot have handed out, before anything changes.</summary>
    private void Verify(T[] array, bool isKnownLength)
    {
        if (!isKnownLength && !_core.Exact.Knows(array.Length))
        {
            PoolThrow.LengthNotFromPool(nameof(array), array.Length);
        }

        if (!IsOwnType(array))
        {
            PoolThrow.TypeNotFromPool(nameof(array), array.GetType(), typeof(T[]));
        }
    }

    /// <summary>
    /// Refuses the array that this thread would get with its next rent, before it is cleared, its sample ends and listeners hear of it.
    /// </summary>
    private void RefuseSecond(T[] array, uint index, bool isClass)
    {
        if (isClass ? IsNext(array, index) : _core.Exact.IsNext(array))
        {
            PoolThrow.ReturnedTwice(array.Length);
        }
    }

    private bool IsNext(T[] array, uint index)
    {
        nint offset = ThreadDirectory<CacheSection, PoolThreads.Words>.OffsetOf(_core.Index);
        nint directory = PoolThreads.Local.Directory;
        ref CacheEntry entry = ref EntryAt(directory == 0 ? CacheSection.Empty.Address : AddressIn(directory, index, offset));
        bool isServed = entry.Length == array.Length;
        if (isServed && entry.IsNext(array))
        {
            return true;
        }

        // While the thread has room, the return does not go to the depot.
        bool hasRoom = isServed && (entry.IsTopFree == 0 || entry.Count < entry.Items.Length);
        return !hasRoom && _core.Find(index)?.Depot.IsNext(array) == true;
    }

    /// <summary>Whether every rented buffer holds zeros, whether it is reused, new or was poisoned by checks.</summary>
    private bool IsAlwaysCleared => _options.Clearing == BufferClearing.OnReturn;

    /// <summary>Whether returns clear the whole buffer even when the call does not request it.</summary>
    private bool ClearsEveryReturn => IsAlwaysCleared
        || (_options.Clearing == BufferClearing.References && RuntimeHelpers.IsReferenceOrContainsReferences<T>());

    private unsafe void Clear(T[] array, int clearLength)
    {
        Span<T> cleared = array.AsSpan(0, ClearsEveryReturn ? array.Length : clearLength);
        if (cleared.IsEmpty)
        {
            return;
        }

        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            cleared.Clear();
            return;
        }

        fixed (void* first = &Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(cleared)))
        {
            BufferCopy.Clear(first, (nuint)cleared.Length * (nuint)Unsafe.SizeOf<T>());
        }
    }

    /// <summary>Keeps a returned array, or counts it as dropped and returns false.</summary>
    private bool Keep(T[] array, uint index, bool isOver, bool isClass)
    {
        if (isClass && _quarantine is null)
        {
            return _core.Give(array, index);
        }

        bool isKept = !isOver && (_quarantine is not null ? _quarantine.Add(array) : _core.Exact.Give(array));
        _core.Counters.CountReturned(1, SizeOf(array));
        if (!isKept)
        {
            _core.Counters.CountDropped();
        }

        return isKept;
    }

    /// <summary>Allocates an array for a rent that found none. Counts the rent once the array exists.</summary>
    private T[] AllocateFor(uint index)
    {
        PrepareReturns();
        T[] array = ArraySource<T>.Allocate(_core.LengthOf(index), _options.Pinned, IsAlwaysCleared);
        _core.CountMade(index);
        TellAllocated(array, TarnEventSource.AllocationReason.PoolExhausted);
        return array;
    }

    /// <summary>
    /// Initializes the classes that the slow path of a return uses. Most returns never take it, and where it first runs without memory, a
    /// class that cannot be initialized fails for ever.
    /// </summary>
    private static void PrepareReturns()
    {
        _ = StreamingStores.LeastBytes;
        FollowedArrays.Prepare();
    }

    /// <summary>Hands out an idle array, or a new one, that no thread cache counts.</summary>
    private T[] HandUncached(T[]? idle, int length, TarnEventSource.AllocationReason reason, uint index)
    {
        T[] array = idle ?? ArraySource<T>.Allocate(length, _options.Pinned, IsAlwaysCleared);
        _core.Counters.CountRented(1, SizeOf(array));
        if (idle is null)
        {
            _core.Counters.CountAllocated();
            TellAllocated(array, reason);
        }

        return Hand(array, index);
    }

    private void TellAllocated(T[] array, TarnEventSource.AllocationReason reason)
    {
        if (TarnEventSource.IsHeard)
        {
            TarnEventSource.Log?.BufferAllocated(RuntimeHelpers.GetHashCode(array), array.Length, _core.EventId, -1, reason);
        }
    }

    /// <summary>
    /// Hands out an array on the slow path: its bytes are taken from the budget, the checks record it, and listeners are notified.
    /// </summary>
    private T[] Hand(T[] array, uint index)
    {
        if (_alwaysSlow)
        {
            Charge(array);
        }

        if (_traced)
        {
            TarnEventSource.Log?.BufferRented(RuntimeHelpers.GetHashCode(array), array.Length, _core.EventId, (int)index);
        }

        return array;
    }

    /// <summary>Takes the bytes of an array from the budget, if there is one, before the pool looks for the array.</summary>
    /// <exception cref="BufferBudgetExceededException">There was no room in time; nothing has changed.</exception>
    private BudgetCredit TakeAhead(int length) =>
        _budget is { } budget ? budget.TakeAhead(SizeOf(length)) : default;

    /// <summary>
    /// Takes the bytes of an array that is about to be handed out, which may be longer than expected, and records its rent. If either
    /// fails, the pool keeps the array.
    /// </summary>
    private void Charge(T[] array)
    {
        bool isTaken = false;
        try
        {
            _budget?.Take(SizeOf(array));
            isTaken = true;
            _ledger?.OnRented(array, SizeOf(array));
        }
        catch
        {
            if (isTaken)
            {
                _budget?.Return(SizeOf(array));
            }

            bool isClass = _core.IsClassLength(array.Length);
            Keep(array, isClass ? _core.IndexOf(array.Length) : 0, array.Length > _core.MaxLength, isClass);
            _core.Counters.CountUndone();
            throw;
        }
    }

    private static long SizeOf(T[] array) => SizeOf(array.Length);
}
