namespace Tarn;

/// <summary>
/// Bytes that were taken from a budget before they are needed, for the calls that this thread makes until this is disposed.
/// </summary>
/// <remarks>
/// Meanwhile the thread takes from the credit and returns to it first. Whoever made the credit decides how long those calls may wait for
/// more. A call that takes more in vain leaves the credit whole. Credits nest.
/// </remarks>
internal ref struct BudgetCredit
{
    /// <summary>In place of a time: whoever made the credit waits for what its calls lack.</summary>
    private static readonly TimeSpan s_later = TimeSpan.MinValue;

    [ThreadStatic]
    private static BufferBudget? t_budget;

    [ThreadStatic]
    private static long t_bytes;

    [ThreadStatic]
    private static TimeSpan t_timeout;

    private readonly bool _isUsed;
    private readonly BufferBudget? _outerBudget;
    private readonly long _outerBytes;
    private readonly TimeSpan _outerTimeout;

    private BudgetCredit(BufferBudget budget, long bytes, TimeSpan timeout)
    {
        _isUsed = true;
        (_outerBudget, _outerBytes, _outerTimeout) = (t_budget, t_bytes, t_timeout);
        (t_budget, t_bytes, t_timeout) = (budget, bytes, timeout);
    }

    /// <summary>Takes bytes for the calls of this thread, which wait for more no longer than this call for the first.</summary>
    /// <exception cref="BufferBudgetExceededException">There was no room in time. Nothing was taken.</exception>
    internal static BudgetCredit Begin(BufferBudget budget, long bytes, TimeSpan timeout)
    {
        Take(budget, bytes, new BudgetTerms { Timeout = timeout });
        return new BudgetCredit(budget, bytes, t_budget == budget ? t_timeout : timeout);
    }

    /// <summary>Lets the calls of this thread use bytes that were taken. They wait for no more, nor count as refused.</summary>
    internal static BudgetCredit Use(BufferBudget budget, long taken) => new(budget, taken, s_later);

    /// <summary>Takes bytes from a budget, those of the credit in use first.</summary>
    /// <param name="budget">The budget.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="terms">The terms of the request, of which the credit in use may change the timeout.</param>
    /// <exception cref="BufferBudgetExceededException">There was no room for the rest in time. Nothing was taken.</exception>
    internal static void Take(BufferBudget budget, long bytes, in BudgetTerms terms)
    {
        if (t_budget != budget)
        {
            budget.Take(bytes, terms);
            return;
        }

        long rest = Math.Max(0, bytes - t_bytes);
        if (rest > 0 && t_timeout == s_later)
        {
            budget.TakeAtOnce(rest);
        }
        else if (rest > 0)
        {
            budget.Take(rest, terms with { Timeout = t_timeout });
        }

        t_bytes -= bytes - rest;
    }

    /// <summary>Returns bytes to the credit in use, or to the budget.</summary>
    internal static void Return(BufferBudget budget, long bytes)
    {
        if (t_budget == budget)
        {
            t_bytes += bytes;
        }
        else
        {
            budget.ReturnHeld(bytes);
        }
    }

    /// <summary>Ends the credit, and returns the bytes that were not used, which stay taken.</summary>
    internal readonly long End()
    {
        long left = t_bytes;
        (t_budget, t_bytes, t_timeout) = (_outerBudget, _outerBytes, _outerTimeout);
        return left;
    }

    /// <summary>Ends the credit, and gives the bytes back that were not used.</summary>
    public readonly void Dispose()
    {
        if (_isUsed)
        {
            BufferBudget budget = t_budget!;
            long left = End();
            if (left > 0)
            {
                Return(budget, left);
            }
        }
    }
}
