namespace Tarn;

/// <summary>The bytes that one pool or heap has taken from a budget: the sizes of its buffers in use.</summary>
/// <remarks>
/// Without checks, a pool or heap cannot tell each second return, nor each buffer from elsewhere. Such a return gives back bytes of this
/// account at most, never what other owners took. All members are safe to call from any thread.
/// </remarks>
/// <param name="budget">The budget.</param>
/// <param name="timeout">The longest wait of a call.</param>
/// <param name="holder">
/// Ends the calls that wait; null for a pool, which never ends before them. It holds nothing while they wait: others may return buffers.
/// </param>
internal sealed class BudgetAccount(BufferBudget budget, TimeSpan timeout, BudgetHolder? holder = null)
{
    private readonly BudgetTerms _terms = new() { Timeout = timeout, Holder = holder };
    private long _bytes;

    /// <summary>Takes bytes for the calls of this thread before they need them.</summary>
    /// <exception cref="BufferBudgetExceededException">There was no room in time. Nothing was taken.</exception>
    internal BudgetCredit TakeAhead(long bytes) => BudgetCredit.Begin(budget, bytes, timeout);

    /// <summary>Lets no call of this thread wait until the returned value is disposed.</summary>
    internal BudgetCredit NeverWait() => BudgetCredit.Use(budget, taken: 0);

    /// <exception cref="BufferBudgetExceededException">The budget had no room in time; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed while the call waited.</exception>
    internal void Take(long bytes)
    {
        BudgetCredit.Take(budget, bytes, _terms);
        Interlocked.Add(ref _bytes, bytes);
    }

    /// <summary>Takes the size of a block.</summary>
    /// <exception cref="BufferBudgetExceededException">The budget had no room in time; nothing has changed.</exception>
    internal void Take(nuint size) => Take((long)Math.Min(size, long.MaxValue)); // no budget has room for sizes that no long holds

    /// <summary>Returns the bytes of a buffer, as far as they are taken. Call it last: a request that waits may get them at once.</summary>
    internal void Return(long bytes)
    {
        long taken = Volatile.Read(ref _bytes);
        while (true)
        {
            long returned = Math.Min(bytes, taken);
            long seen = Interlocked.CompareExchange(ref _bytes, taken - returned, taken);
            if (seen == taken)
            {
                BudgetCredit.Return(budget, returned);
                return;
            }

            taken = seen;
        }
    }

    /// <inheritdoc cref="Return(long)"/>
    internal void Return(nuint size) => Return((long)Math.Min(size, long.MaxValue));

    /// <summary>Ends the calls that wait, because the heap refuses all calls.</summary>
    internal void EndWaits() => holder?.End();

    /// <summary>Returns the bytes of all buffers, which ended with their pool or heap.</summary>
    internal void ReturnAll() => budget.ReturnHeld(Interlocked.Exchange(ref _bytes, 0));
}
