using System.Diagnostics.Metrics;

namespace Tarn.Diagnostics;

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

    /// <summary>Returns the budgets alive now, the oldest first.</summary>
    internal static List<IBudgetSource> GetAll()
    {
        using (s_lock.Hold())
        {
            return s_budgets.GetAlive();
        }
    }

    /// <summary>Creates the instruments, which cost nothing until a listener reads them.</summary>
    internal static void Create(Meter meter)
    {
        meter.CreateObservableUpDownCounter(
            "tarn.budgets.in_use", static () => Observe(static all => all.Sum(static one => one.InUse)), "By",
            "Bytes taken from a budget and not returned.");
        meter.CreateObservableUpDownCounter(
            "tarn.budgets.limit", static () => Observe(SumLimits), "By",
            "The most bytes that a budget grants.");
        meter.CreateObservableUpDownCounter(
            "tarn.budgets.waiting", static () => Observe(static all => all.Sum(static one => (long)one.Waiting)), "{request}",
            "Requests that wait for a budget.");
        meter.CreateObservableCounter(
            "tarn.budgets.refused", static () => Observe(static all => all.Sum(static one => one.Refused)), "{request}",
            "Requests that a budget refused.");
        meter.CreateObservableCounter(
            "tarn.budgets.deadlocks", static () => Observe(static all => all.Sum(static one => one.Deadlocks)), "{request}",
            "Requests that a budget refused because they and what they waited for would have waited for each other.");
        meter.CreateObservableGauge(
            "tarn.budgets.longest_wait", static () => Observe(static all => all.Max(static one => one.LongestWait.TotalSeconds)), "s",
            "The longest wait of a request so far.");
        meter.CreateObservableGauge(
            "tarn.budgets.oldest_wait", static () => Observe(static all => all.Max(static one => one.OldestWait.TotalSeconds)), "s",
            "How long the request has waited that waits longest.");
    }

    /// <summary>Limits that stand for none are so large that their sum is not a number.</summary>
    private static long SumLimits(IEnumerable<BudgetSnapshot> all) =>
        all.Aggregate(0L, static (sum, one) => sum + Math.Min(one.Limit, long.MaxValue - sum));

    private static IEnumerable<Measurement<TValue>> Observe<TValue>(Func<IEnumerable<BudgetSnapshot>, TValue> value)
        where TValue : struct =>
        from snapshot in GetAll().Select(static budget => budget.GetSnapshot())
        group snapshot by snapshot.Name into named
        select new Measurement<TValue>(value(named), new KeyValuePair<string, object?>("tarn.budget.name", named.Key));
}
