using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Members built on renting and returning: exact lengths, leases for any thread, buffers for one call.</content>
public sealed partial class BufferPool<T>
{
    /// <summary>Takes a buffer back and clears only its first elements, those that the caller wrote.</summary>
    /// <param name="array">A buffer rented from this pool. An empty array is ignored.</param>
    /// <param name="usedLength">The number of elements to clear, from the first.</param>
    /// <exception cref="ArgumentNullException"><paramref name="array"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="usedLength"/> is negative or greater than the array's length.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="array"/> has a length or type that this pool does not hand out. Nothing was cleared.
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

    /// <summary>Rents an array of exactly <paramref name="length"/> elements. Its contents are undefined.</summary>
    /// <remarks>
    /// Return the array with <see cref="Return(T[], bool)"/>, as any other. The pool keeps up to 16 idle arrays of each such length behind
    /// one lock, within its cap and idle timeout. Where only a span needs the exact length, <see cref="Lease"/> is faster.
    /// </remarks>
    /// <param name="length">The length, in elements. For 0, the result is an empty array.</param>
    /// <returns>The array, which the caller owns until it returns it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. The pool is unchanged.</exception>
    public T[] RentExact(int length)
    {
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        using BudgetCredit credit = TakeAhead(length);
        try
        {
            return RentExactOnce(length);
        }
        catch (OutOfMemoryException) when (MayFit(length))
        {
            if (!TryGiveUpAll(length))
            {
                throw;
            }
        }

        return RentExactOnce(length);
    }

    private T[] RentExactOnce(int length) => _isSampled && length > 0 ? RentExactCounted(length) : RentExactUncounted(length);

    private T[] RentExactUncounted(int length)
    {
        if (length == 0 || length > _core.MaxLength || _core.IsClassLength(length))
        {
            T[] rented = _isSampled && length > 0 ? RentUncounted(length) : Rent(length);
            if (rented.Length == length)
            {
                return rented;
            }

            // The pool is at its cap and handed out a longer array.
            Return(rented);
            _core.Counters.CountUndone();
            return HandUncached(idle: null, length, TarnEventSource.AllocationReason.PoolExhausted, NoClass);
        }

        T[]? array = _quarantine is null ? Unsafe.As<T[]>(_core.Exact.Take(length)) : _quarantine.TakeExact(length);
        return HandUncached(array, length, TarnEventSource.AllocationReason.PoolExhausted, NoClass);
    }

    /// <summary>
    /// Leases a buffer of exactly <paramref name="length"/> elements that fields may hold, other threads may use, and awaits may cross.
    /// </summary>
    /// <remarks>
    /// Each lease allocates one small owner object, which is never reused: with a recycled owner, a stale second <c>Dispose</c> would
    /// return another caller's buffer. A second <c>Dispose</c> from any thread does nothing. A copy of the <see cref="Memory{T}"/> kept
    /// past <c>Dispose</c> throws <see cref="ObjectDisposedException"/> when it is used. Spans taken earlier cannot be guarded. A buffer
    /// disposed while it is pinned returns to the pool when the last pin is released.
    /// </remarks>
    /// <param name="length">The length, in elements.</param>
    /// <returns>The owner. Dispose it once the buffer is no longer used.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. The pool is unchanged.</exception>
    public IMemoryOwner<T> LeaseMemory(int length)
    {
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        LeasedMemory<T> lease = LeasedMemory<T>.Create(this);
        lease.Begin(Rent(length), length);
        return lease;
    }

    /// <summary>
    /// Returns this pool as a <see cref="MemoryPool{T}"/>, for pipes and other code that takes one. Every call returns the same object. A
    /// block is about as long as requested, and 4 KiB long for callers that request no length.
    /// </summary>
    /// <inheritdoc cref="AsMemoryPool(int, int, bool)" path="/remarks"/>
    /// <returns>The memory pool. Disposing it does nothing, and this pool stays usable.</returns>
    public MemoryPool<T> AsMemoryPool() =>
        Volatile.Read(ref _memoryPool)
        ?? Interlocked.CompareExchange(
            ref _memoryPool, new PooledMemoryPool<T>(this, new BlockLengths(0, Array.MaxLength, Doubling: false)), null)
        ?? _memoryPool;

    /// <summary>
    /// Returns this pool as a <see cref="MemoryPool{T}"/> with blocks of given lengths. Every call returns a new, small object.
    /// </summary>
    /// <remarks>
    /// <para>All members are safe to call from any thread, and a block may be disposed on another thread than it was rented on. Each rent
    /// allocates one owner object of 32 bytes, which is never reused. A second <c>Dispose</c> does nothing, however late it comes; a pool
    /// with <see cref="BufferChecks.Returns"/> or <see cref="BufferChecks.UseAfterReturn"/> also reports it, as
    /// <c>DoubleReturn</c>.</para>
    /// <para>The blocks belong to this pool: its cap, its idle timeout, its checks, its clearing and its metrics cover them, and those of a
    /// pool with <see cref="BufferPoolOptions.Pinned"/> never move. Memory pools with different lengths share its idle buffers.</para>
    /// <para>Memory kept past <c>Dispose</c> is not guarded, as with <see cref="MemoryPool{T}.Shared"/>, and a pin does not put off the
    /// return. <see cref="LeaseMemory"/> guards against both.</para>
    /// <para>Where this pool has a budget, a rent throws <see cref="BufferBudgetExceededException"/> at the limit. The writers of pipes
    /// wait with <see cref="BufferBudgetExtensions.GetMemoryAsync"/>.</para>
    /// </remarks>
    /// <param name="minLength">
    /// The least length of a block, in elements: shorter requests get a block of this length, and so do callers that request none. With 0,
    /// a block is about as long as requested, and 4 KiB long for callers that request none.
    /// </param>
    /// <param name="maxLength">
    /// The greatest length of a block, in elements, which <see cref="MemoryPool{T}.MaxBufferSize"/> returns. A longer request throws
    /// <see cref="ArgumentOutOfRangeException"/>.
    /// </param>
    /// <param name="doubling">
    /// Whether blocks grow with the data: a block is at least as long as the blocks of this memory pool that are in use, together, rounded
    /// down to a power of two. So each block doubles the memory in use, up to <paramref name="maxLength"/>, or up to 32 KiB without one.
    /// Blocks get shorter again as blocks are disposed. Use a memory pool for each pipe or connection then, because one memory pool counts
    /// all its blocks together. A pipe pauses its writer at <c>PauseWriterThreshold</c>, 64 KiB by default. A writer that fills a longer
    /// block waits for the reader, for ever if the same code reads afterwards, so a longer <paramref name="maxLength"/> needs a threshold
    /// above it.
    /// </param>
    /// <returns>The memory pool. Disposing it does nothing, and this pool stays usable.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="minLength"/> is negative or longer than an array can be, or <paramref name="maxLength"/> is less than 1 or less than
    /// <paramref name="minLength"/>.
    /// </exception>
    public MemoryPool<T> AsMemoryPool(int minLength, int maxLength = int.MaxValue, bool doubling = false) =>
        new PooledMemoryPool<T>(this, BlockLengths.Of(minLength, maxLength, doubling));
}
