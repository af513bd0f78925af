namespace Tarn;

/// <summary>Tells of requests that have waited long, once for each budget and time without such a wait.</summary>
/// <remarks>
/// What a budget cannot know, such as bytes that callers took by themselves and never return, it can only tell. One timer looks at all
/// budgets of the process, and runs while any request waits. A request starts it at most once between two looks, and a look that finds no
/// request ends it.
/// </remarks>
internal static class BudgetWatch
{
    /// <summary>The wait that is told.</summary>
    internal static readonly TimeSpan LongWait = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(5);
    private static ITimer? s_timer;
    private static int s_isRunning;

    /// <summary>Begins to look, if nothing does. A request waits.</summary>
    internal static void Begin()
    {
        if (Volatile.Read(ref s_isRunning) != 0 || Interlocked.Exchange(ref s_isRunning, 1) != 0)
        {
            return;
        }

        try
        {
            // Only whoever has set the word is here.
            s_timer ??= DetachedTimer.Create(
                TimeProvider.System, static _ => Tick(), s_period, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            s_timer.Change(s_period, s_period);
        }
        catch (OutOfMemoryException)
        {
            // The request waits unwatched, and the next one tries again.
            Volatile.Write(ref s_isRunning, 0);
        }
    }

    /// <summary>Looks at all budgets, and returns whether any request waits.</summary>
    internal static bool Look(TimeSpan longWait)
    {
        bool waits = false;
        foreach (IBudgetSource budget in BudgetSources.GetAll())
        {
            waits |= budget.TellLongWait(longWait);
        }

        return waits;
    }

    private static void Tick()
    {
        try
        {
            if (Look(LongWait))
            {
                return;
            }

            s_timer!.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            Interlocked.Exchange(ref s_isRunning, 0);

            // A request that came between the look and the end has not begun another.
            if (Look(LongWait))
            {
                Begin();
            }
        }
        catch (OutOfMemoryException)
        {
            // The next tick looks again.
        }
    }
}
