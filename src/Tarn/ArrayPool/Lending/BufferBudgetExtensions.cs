using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Leases of pooled buffers, and memory of pipes, whose bytes are taken from a <see cref="BufferBudget"/>.</summary>
/// <remarks>
/// A lease takes the bytes that were asked for; the slack of the pool, a fifth by default, is not counted. It behaves like one of
/// <see cref="BufferPool{T}.LeaseMemory"/>: a second disposal does nothing, a use after the disposal throws. Buffer and bytes return with
/// the disposal, or with the last pin after it. The bytes of a lost lease return when the garbage collector finds it.
/// </remarks>
public static class BufferBudgetExtensions
{
    /// <summary>Leases a buffer of exactly <paramref name="length"/> elements, or throws if the budget has no room.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="budget">The budget that the bytes are taken from.</param>
    /// <param name="pool">The pool that the buffer is rented from.</param>
    /// <param name="length">The length, in elements.</param>
    /// <returns>The owner. Dispose it once the buffer is no longer used.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="budget"/> or <paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">There is no room, or another request waits. Nothing was taken.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. Nothing was taken.</exception>
    public static IMemoryOwner<T> LeaseMemory<T>(this BufferBudget budget, BufferPool<T> pool, int length)
    {
        Verify(budget, pool, length);
        budget.Take(BytesOf<T>(length));
        return Rent(budget, pool, length);
    }

    /// <summary>Leases a buffer of exactly <paramref name="length"/> elements if the budget has room.</summary>
    /// <returns>
    /// The owner, to be disposed once the buffer is no longer used; null if the budget has no room or another request waits.
    /// </returns>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. Nothing was taken.</exception>
    /// <inheritdoc cref="LeaseMemory{T}(BufferBudget, BufferPool{T}, int)"/>
    public static IMemoryOwner<T>? TryLeaseMemory<T>(this BufferBudget budget, BufferPool<T> pool, int length)
    {
        Verify(budget, pool, length);
        return budget.TryTake(BytesOf<T>(length)) ? Rent(budget, pool, length) : null;
    }

    /// <summary>
    /// Leases a buffer of exactly <paramref name="length"/> elements, and blocks the thread a limited time until the budget has room.
    /// </summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="budget">The budget that the bytes are taken from.</param>
    /// <param name="pool">The pool that the buffer is rented from.</param>
    /// <param name="length">The length, in elements.</param>
    /// <param name="timeout">The longest wait, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>
    /// The owner, to be disposed once the buffer is no longer used; null if the budget had no room in time, or never has so much.
    /// </returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. Nothing was taken.</exception>
    /// <inheritdoc cref="LeaseMemory{T}(BufferBudget, BufferPool{T}, int)" path="/exception"/>
    public static IMemoryOwner<T>? TryLeaseMemory<T>(
        this BufferBudget budget, BufferPool<T> pool, int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        Verify(budget, pool, length);
        return budget.TryTake(BytesOf<T>(length), timeout, cancellationToken) ? Rent(budget, pool, length) : null;
    }

    /// <summary>Leases a buffer of exactly <paramref name="length"/> elements, and waits until the budget has room.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="budget">The budget that the bytes are taken from.</param>
    /// <param name="pool">The pool that the buffer is rented from.</param>
    /// <param name="length">The length, in elements.</param>
    /// <param name="cancellationToken">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>The owner. Dispose it once the buffer is no longer used.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="budget"/> or <paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The bytes are above the limit of the budget or of a parent, so the wait would never end.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. Nothing was taken.</exception>
    public static ValueTask<IMemoryOwner<T>> LeaseMemoryAsync<T>(
        this BufferBudget budget, BufferPool<T> pool, int length, CancellationToken cancellationToken = default) =>
        LeaseMemoryAsync(budget, pool, length, Timeout.InfiniteTimeSpan, cancellationToken);

    /// <summary>
    /// Leases a buffer of exactly <paramref name="length"/> elements, and waits a limited time until the budget has room.
    /// </summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="budget">The budget that the bytes are taken from.</param>
    /// <param name="pool">The pool that the buffer is rented from.</param>
    /// <param name="length">The length, in elements.</param>
    /// <param name="timeout">The longest wait, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>The owner. Dispose it once the buffer is no longer used.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="budget"/> or <paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> or <paramref name="timeout"/> is negative, or the timeout is above 49 days.
    /// </exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The bytes were not there in time, or are above the limit of the budget or of a parent, so the wait would never end.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. Nothing was taken.</exception>
    public static ValueTask<IMemoryOwner<T>> LeaseMemoryAsync<T>(
        this BufferBudget budget, BufferPool<T> pool, int length, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        Verify(budget, pool, length);
        ValueTask taken = budget.TakeAsync(BytesOf<T>(length), timeout, cancellationToken);
        return taken.IsCompletedSuccessfully
            ? new ValueTask<IMemoryOwner<T>>(Rent(budget, pool, length))
            : RentLater(taken, budget, pool, length);
    }

    /// <summary>
    /// Returns memory of a pipe's writer, and waits until the budget of the pipe's pool has room: the back-pressure of pipes that share a
    /// budget.
    /// </summary>
    /// <remarks>
    /// <para>A pipe rents in <see cref="PipeWriter.GetMemory"/> and <see cref="PipeWriter.GetSpan"/>, which throw at the limit. This call
    /// then flushes what was written, so that the reader can consume it, and waits outside the pipe's lock for the memory that readers
    /// return.</para>
    /// <para>A wait ends as a flush does: when the reader has completed, or <see cref="PipeWriter.CancelPendingFlush"/> was called, at the
    /// latest a second after that. If a reader waits for more than the budget has room for, as for the end of a large message, neither goes
    /// on: give the wait a token that ends it, or let the reader consume what it examined.</para>
    /// </remarks>
    /// <param name="budget">The budget of the pool behind the pipe's memory pool (<see cref="BufferPoolOptions.Budget"/>).</param>
    /// <param name="writer">The writer of the pipe.</param>
    /// <param name="sizeHint">The least length; 0 for any.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The memory, valid until the next call to the writer. Await it once.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="budget"/> or <paramref name="writer"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The block is larger than the limit of the budget or of a parent, so the wait would never end.
    /// </exception>
    /// <exception cref="IOException">
    /// The reader has completed. If it did so with an exception, the pipe throws that, as it does from <see cref="PipeWriter.FlushAsync"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled, or the flush.</exception>
    public static ValueTask<Memory<byte>> GetMemoryAsync(
        this BufferBudget budget, PipeWriter writer, int sizeHint = 0, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(writer);
        return BudgetedCall.RunAsync(
            budget, new WriterWait(budget, writer), (Writer: writer, Hint: sizeHint),
            static wanted => wanted.Writer.GetMemory(wanted.Hint), cancellationToken);
    }

    private static async ValueTask<IMemoryOwner<T>> RentLater<T>(ValueTask taken, BufferBudget budget, BufferPool<T> pool, int length)
    {
        await taken.ConfigureAwait(false);
        return Rent(budget, pool, length);
    }

    private static LeasedMemory<T> Rent<T>(BufferBudget budget, BufferPool<T> pool, int length)
    {
        BudgetShare share = Share(budget, BytesOf<T>(length));
        try
        {
            LeasedMemory<T> lease = LeasedMemory<T>.Create(pool, share);
            lease.Begin(pool.Rent(length), length);
            return lease;
        }
        catch
        {
            share.Return();
            throw;
        }
    }

    private static BudgetShare Share(BufferBudget budget, long bytes)
    {
        try
        {
            return new BudgetShare(budget, bytes);
        }
        catch (OutOfMemoryException)
        {
            budget.Return(bytes);
            throw;
        }
    }

    private static void Verify<T>(BufferBudget budget, BufferPool<T> pool, int length)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(pool);
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }
    }

    private static long BytesOf<T>(int length) => (long)length * Unsafe.SizeOf<T>();
}
