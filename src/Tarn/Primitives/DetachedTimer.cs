namespace Tarn;

/// <summary>Creates timers of the library, which outlive the call that happens to create them.</summary>
internal static class DetachedTimer
{
    /// <summary>Creates a timer without capturing the execution context of the caller.</summary>
    /// <param name="time">The source of time.</param>
    /// <param name="callback">What the timer calls.</param>
    /// <param name="state">The callback's argument.</param>
    /// <param name="due">When it first calls; infinite for a timer that does not run yet.</param>
    /// <param name="period">The time between two calls.</param>
    internal static ITimer Create(TimeProvider time, TimerCallback callback, object state, TimeSpan due, TimeSpan period)
    {
        bool suppress = !ExecutionContext.IsFlowSuppressed();
        if (suppress)
        {
            ExecutionContext.SuppressFlow();
        }

        try
        {
            return time.CreateTimer(callback, state, due, period);
        }
        finally
        {
            if (suppress)
            {
                ExecutionContext.RestoreFlow();
            }
        }
    }
}
