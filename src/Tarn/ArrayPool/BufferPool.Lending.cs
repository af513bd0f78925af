using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>What is built on renting and returning: exact lengths, leases that travel, buffers for one call.</content>
public sealed partial class BufferPool<T>
{
    /// <summary>Takes a buffer back and clears the elements that were written, rather than all.</summary>
    /// <param name="array">A buffer this pool handed out. An empty array is ignored.</param>
    /// <param name="usedLength">How many elements, from the first, to clear.</param>
    /// <exception cref="ArgumentNullException"><paramref name="array"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="usedLength"/> is negative or more than the array's length.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="array"/> has a length or type this pool does not hand out; nothing was cleared.
    /// </exception>
    public void Return(T[] array, int usedLength)
    {
        if (array is null)
        {
            Throw.ArgumentNull(nameof(array));
        }

        if ((uint)usedLength > (uint)array.Length)
        {
            PoolThrow.UsedLengthOutOfRange(nameof(usedLength), usedLength, array.Length);
        }

        ReturnSlow(array, usedLength);
    }

    /// <summary>Hands out an array whose length is exactly <paramref name="length"/>, contents undefined.</summary>
    /// <remarks>
    /// It goes back through <see cref="Return(T[], bool)"/> like any other. Up to 16 idle arrays of each such length are kept, under
    /// the pool's cap and idle timeout, behind one lock; where the exact length matters only to a span, <see cref="Lease"/> is faster.
    /// </remarks>
    /// <param name="length">The length, in elements; 0 gives an empty array.</param>
    /// <returns>The array, which the caller owns until it is returned.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No buffer was idle and none could be allocated; the pool is unchanged.</exception>
    public T[] RentExact(int length)
    {
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        if (length == 0 || length > _core.MaxLength || _core.LengthOf(_core.IndexOf(length)) == length)
        {
            T[] rented = Rent(length);
            if (rented.Length == length)
            {
                return rented;
            }

            // The pool is at its cap and handed out a longer one.
            Return(rented);
            _core.Counters.CountUndone();
            return HandUncached(idle: null, length, TarnEventSource.AllocationReason.PoolExhausted, NoClass);
        }

        T[]? array = _quarantine is null ? Unsafe.As<T[]>(_core.Exact.Take(length)) : _quarantine.TakeExact(length);
        return HandUncached(array, length, TarnEventSource.AllocationReason.PoolExhausted, NoClass);
    }

    /// <summary>
    /// Leases a buffer of exactly <paramref name="length"/> elements that may travel: to fields, other threads, across awaits.
    /// </summary>
    /// <remarks>
    /// One small owner object is allocated for each lease and never reused: with a recycled owner, a stale second <c>Dispose</c> would
    /// return someone else's buffer. A second <c>Dispose</c> is harmless, from any thread. The <see cref="Memory{T}"/> is owned: a copy
    /// of it kept past <c>Dispose</c> throws <see cref="ObjectDisposedException"/> when touched. Spans taken before cannot be guarded.
    /// A buffer disposed while it is pinned goes back when the last pin is released.
    /// </remarks>
    /// <param name="length">The length, in elements.</param>
    /// <returns>The owner, to be disposed once the buffer is no longer used.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No buffer was idle and none could be allocated; the pool is unchanged.</exception>
    public IMemoryOwner<T> LeaseMemory(int length)
    {
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        return LeasedMemory<T>.Create(this, Rent(length), length);
    }

    /// <summary>Lends a buffer for the duration of one call and takes it back whatever happens.</summary>
    /// <typeparam name="TState">What to pass along, so that the delegate need not capture; may be a span.</typeparam>
    /// <typeparam name="TResult">What the delegate gives back.</typeparam>
    /// <param name="length">The buffer's exact length, in elements.</param>
    /// <param name="state">Passed to <paramref name="function"/>.</param>
    /// <param name="function">Works on the buffer.</param>
    /// <returns>What <paramref name="function"/> returned.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="function"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    public TResult Use<TState, TResult>(int length, TState state, BufferFunc<T, TState, TResult> function)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(function);
        using BufferLease<T> lease = Lease(length);
        return function(lease.Span, state);
    }

    /// <summary>Lends a buffer for the duration of one call and takes it back whatever happens.</summary>
    /// <typeparam name="TState">What to pass along, so that the delegate need not capture; may be a span.</typeparam>
    /// <param name="length">The buffer's exact length, in elements.</param>
    /// <param name="state">Passed to <paramref name="action"/>.</param>
    /// <param name="action">Works on the buffer.</param>
    /// <exception cref="ArgumentNullException"><paramref name="action"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    public void Use<TState>(int length, TState state, BufferAction<T, TState> action)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(action);
        using BufferLease<T> lease = Lease(length);
        action(lease.Span, state);
    }

    /// <summary>This pool as a <see cref="MemoryPool{T}"/>, for pipes and whatever else takes one; always the same object.</summary>
    /// <returns>A memory pool whose disposal does nothing: this pool lives on.</returns>
    public MemoryPool<T> AsMemoryPool() =>
        Volatile.Read(ref _memoryPool)
        ?? Interlocked.CompareExchange(ref _memoryPool, new PooledMemoryPool<T>(this), null)
        ?? _memoryPool;
}
