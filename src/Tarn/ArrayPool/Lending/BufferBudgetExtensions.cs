using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Leases of pooled buffers whose bytes are taken from a <see cref="BufferBudget"/>.</summary>
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

    /// <summary>Leases a buffer of exactly <paramref name="length"/> elements, and waits until the budget has room.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="budget">The budget that the bytes are taken from.</param>
    /// <param name="pool">The pool that the buffer is rented from.</param>
    /// <param name="length">The length, in elements.</param>
    /// <param name="cancellation">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>The owner. Dispose it once the buffer is no longer used.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="budget"/> or <paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The bytes are above the limit of the budget or of a parent, so the wait would never end.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. Nothing was taken.</exception>
    public static ValueTask<IMemoryOwner<T>> LeaseMemoryAsync<T>(
        this BufferBudget budget, BufferPool<T> pool, int length, CancellationToken cancellation = default) =>
        LeaseMemoryAsync(budget, pool, length, Timeout.InfiniteTimeSpan, cancellation);

    /// <summary>
    /// Leases a buffer of exactly <paramref name="length"/> elements, and waits a limited time until the budget has room.
    /// </summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="budget">The budget that the bytes are taken from.</param>
    /// <param name="pool">The pool that the buffer is rented from.</param>
    /// <param name="length">The length, in elements.</param>
    /// <param name="timeout">The longest wait, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellation">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>The owner. Dispose it once the buffer is no longer used.</returns>
    /// <exception cref="TimeoutException">The bytes were not there in time.</exception>
    /// <inheritdoc cref="LeaseMemoryAsync{T}(BufferBudget, BufferPool{T}, int, CancellationToken)" path="/exception"/>
    public static ValueTask<IMemoryOwner<T>> LeaseMemoryAsync<T>(
        this BufferBudget budget, BufferPool<T> pool, int length, TimeSpan timeout, CancellationToken cancellation = default)
    {
        Verify(budget, pool, length);
        ValueTask taken = budget.TakeAsync(BytesOf<T>(length), timeout, cancellation);
        return taken.IsCompletedSuccessfully
            ? new ValueTask<IMemoryOwner<T>>(Rent(budget, pool, length))
            : RentLater(taken, budget, pool, length);
    }

    private static async ValueTask<IMemoryOwner<T>> RentLater<T>(ValueTask taken, BufferBudget budget, BufferPool<T> pool, int length)
    {
        await taken.ConfigureAwait(false);
        return Rent(budget, pool, length);
    }

    private static BudgetedMemory<T> Rent<T>(BufferBudget budget, BufferPool<T> pool, int length)
    {
        BudgetShare share = Share(budget, BytesOf<T>(length));
        T[]? rented = null;
        try
        {
            rented = pool.Rent(length);
            return new BudgetedMemory<T>(pool, rented, length, share);
        }
        catch
        {
            if (rented is not null)
            {
                pool.Return(rented);
            }

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
