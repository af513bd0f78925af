using System.Diagnostics.Metrics;

namespace Tarn;

/// <summary>Every budget alive in the process, held weakly, and the instruments that report them.</summary>
/// <remarks>
/// Each measurement has the tag <c>tarn.budget.name</c>. Budgets of one name are one series: their bytes and requests are summed, and of
/// their waits the longest counts.
/// </remarks>
internal static class BudgetSources
{
    private static readonly Lock s_lock = new();
    private static readonly WeakList<IBudgetSource> s_budgets = new();

    /// <summary>Makes a budget visible to metrics.</summary>
    internal static void Add(IBudgetSource budget)
    {
        TarnMeter.EnsureCreated();
        using (s_lock.Hold())
        {
            s_budgets.Add(budget);
        }
    }

    /// <summary>Creates the instruments, which cost nothing until a listener reads them.</summary>
    internal static void Create(Meter meter)
    {
        meter.CreateObservableUpDownCounter(
            "tarn.budgets.in_use", static () => Observe(static all => all.Sum(static one => one.InUse)), "By",
            "Bytes taken from a budget and not returned.");
        meter.CreateObservableUpDownCounter(
            "tarn.budgets.waiting", static () => Observe(static all => all.Sum(static one => (long)one.Waiting)), "{request}",
            "Requests that wait for a budget.");
        meter.CreateObservableCounter(
            "tarn.budgets.refused", static () => Observe(static all => all.Sum(static one => one.Refused)), "{request}",
            "Requests that a budget refused.");
        meter.CreateObservableGauge(
            "tarn.budgets.longest_wait", static () => Observe(static all => all.Max(static one => one.LongestWait.TotalSeconds)), "s",
            "The longest wait of a request so far.");
    }

    private static IEnumerable<Measurement<TValue>> Observe<TValue>(Func<IEnumerable<BudgetSnapshot>, TValue> value)
        where TValue : struct
    {
        List<IBudgetSource> budgets;
        using (s_lock.Hold())
        {
            budgets = s_budgets.GetAlive();
        }

        return
            from snapshot in budgets.Select(static budget => budget.GetSnapshot())
            group snapshot by snapshot.Name into named
            select new Measurement<TValue>(value(named), new KeyValuePair<string, object?>("tarn.budget.name", named.Key));
    }
}
