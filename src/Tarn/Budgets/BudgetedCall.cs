namespace Tarn;

/// <summary>Synchronous calls that take bytes from a budget, made by asynchronous ones: these wait without a thread.</summary>
internal static class BudgetedCall
{
    /// <summary>
    /// Makes a call. If it lacks bytes, waits for them and makes it again with them; more than once, if it takes memory in pieces.
    /// </summary>
    /// <param name="budget">The budget. What other budgets refuse, the call refuses.</param>
    /// <param name="wait">How to wait.</param>
    /// <param name="state">What the call works on.</param>
    /// <param name="call">The call, which changes nothing when it lacks bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal static ValueTask<TResult> RunAsync<TWait, TState, TResult>(
        BufferBudget budget, TWait wait, TState state, Func<TState, TResult> call, CancellationToken cancellationToken)
        where TWait : IBudgetWait
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<TResult>(cancellationToken);
        }

        long credit = 0;
        try
        {
            return TryRun(budget, ref credit, state, call, out TResult result) is { } asked
                ? WaitAndRunAsync(budget, wait, asked, state, call, cancellationToken)
                : new ValueTask<TResult>(result);
        }
        catch (Exception e)
        {
            return ValueTask.FromException<TResult>(e);
        }
        finally
        {
            // The call may have returned memory that it replaced.
            if (credit > 0)
            {
                budget.Return(credit);
            }
        }
    }

    private static async ValueTask<TResult> WaitAndRunAsync<TWait, TState, TResult>(
        BufferBudget budget, TWait wait, long asked, TState state, Func<TState, TResult> call, CancellationToken cancellationToken)
        where TWait : IBudgetWait
    {
        long since = TimeProvider.System.GetTimestamp();
        long credit = 0;
        try
        {
            while (true)
            {
                TimeSpan waited = TimeProvider.System.GetElapsedTime(since);
                await wait.TakeAsync(asked, credit, waited, cancellationToken).ConfigureAwait(false);
                credit += asked;
                if (TryRun(budget, ref credit, state, call, out TResult result) is not { } more)
                {
                    return result;
                }

                asked = more;
            }
        }
        finally
        {
            budget.Return(credit);
        }
    }

    /// <summary>Makes a call with bytes that were taken; returns null, or the bytes that it lacks.</summary>
    private static long? TryRun<TState, TResult>(
        BufferBudget budget, ref long credit, TState state, Func<TState, TResult> call, out TResult result)
    {
        BudgetCredit used = BudgetCredit.Use(budget, credit);
        try
        {
            result = call(state);
            return null;
        }
        catch (BufferBudgetExceededException e) when (e.Origin == budget)
        {
            result = default!;
            return e.Asked;
        }
        finally
        {
            credit = used.End();
        }
    }
}
