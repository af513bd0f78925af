namespace Tarn;

/// <summary>Bytes that an asynchronous call has waited for, for the synchronous calls that it makes with them on one thread.</summary>
/// <remarks>While it is used, the thread takes from it and returns to it first. A call that takes more in vain leaves it whole.</remarks>
internal sealed class BudgetCredit(BufferBudget budget)
{
    [ThreadStatic]
    private static BudgetCredit? t_used;

    private long _bytes;

    internal BufferBudget Budget => budget;

    /// <summary>Takes bytes from a budget, those of the credit in use first.</summary>
    /// <exception cref="BufferBudgetExceededException">There is no room for the rest. Nothing was taken.</exception>
    internal static void Take(BufferBudget budget, long bytes)
    {
        if (t_used is { } credit && credit.Budget == budget)
        {
            long rest = Math.Max(0, bytes - credit._bytes);
            budget.Take(rest);
            credit._bytes -= bytes - rest;
        }
        else
        {
            budget.Take(bytes);
        }
    }

    /// <summary>Returns bytes to the credit in use, or to the budget.</summary>
    internal static void Return(BufferBudget budget, long bytes)
    {
        if (t_used is { } credit && credit.Budget == budget)
        {
            credit._bytes += bytes;
        }
        else
        {
            budget.Return(bytes);
        }
    }

    /// <summary>Waits for more bytes.</summary>
    internal async ValueTask AddAsync(long bytes, CancellationToken cancellation)
    {
        await budget.TakeAsync(bytes, cancellation).ConfigureAwait(false);
        _bytes += bytes;
    }

    /// <summary>Lets this thread use the credit until the returned value is disposed.</summary>
    internal Using Use()
    {
        Using previous = new(t_used);
        t_used = this;
        return previous;
    }

    /// <summary>Returns what was not used.</summary>
    internal void Return()
    {
        budget.Return(_bytes);
        _bytes = 0;
    }

    internal readonly ref struct Using(BudgetCredit? previous)
    {
        public void Dispose() => t_used = previous;
    }
}
