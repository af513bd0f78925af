using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Asking;

/// <summary>The numbers of one budget, or of all budgets of one name.</summary>
/// <param name="Name">The name.</param>
/// <param name="Limit">The most bytes in use at once.</param>
/// <param name="InUse">The bytes in use.</param>
/// <param name="Waiting">The requests that wait.</param>
/// <param name="Refused">The requests refused so far.</param>
/// <param name="Deadlocks">Those of them that would have waited for ever.</param>
/// <param name="OldestWaitSeconds">How long the request has waited that waits longest.</param>
internal sealed record BudgetNumbers(
    string Name, long Limit, long InUse, long Waiting, long Refused, long Deadlocks, double OldestWaitSeconds)
{
    /// <summary>The microseconds of a second, in which a report tells waits.</summary>
    public const double Microseconds = 1e6;

    private const string Prefix = "tarn.budgets.";
    private const string Tag = "tarn.budget.name=";

    /// <summary>From this wait on a budget is marked: its holders may have stopped.</summary>
    private const double LongWaitSeconds = 30;

    /// <summary>Whether a value of the meter is one of a budget.</summary>
    public static bool IsOfBudget(string instrument) => instrument.StartsWith(Prefix, StringComparison.Ordinal);

    /// <summary>Reads the budgets out of the values of the meter, by name.</summary>
    public static IReadOnlyList<BudgetNumbers> Read(IEnumerable<(string Name, double Value)> meter) =>
    [
        .. from one in meter
           where IsOfBudget(one.Name) && one.Name.Contains(Tag, StringComparison.Ordinal)
           let at = one.Name.IndexOf(Tag, StringComparison.Ordinal)
           group (Instrument: one.Name[Prefix.Length..at].Trim(), one.Value) by one.Name[(at + Tag.Length)..] into budget
           orderby budget.Key
           let values = budget.ToDictionary(one => one.Instrument, one => one.Value)
           select new BudgetNumbers(
               budget.Key, Count(values, "limit"), Count(values, "in_use"), Count(values, "waiting"), Count(values, "refused"),
               Count(values, "deadlocks"), values.GetValueOrDefault("oldest_wait")),
    ];

    /// <summary>The budgets as a table.</summary>
    public static IRenderable Draw(IEnumerable<BudgetNumbers> budgets)
    {
        Table table = new Table().Border(TableBorder.None);
        table.AddColumn("[dim]budget[/]");
        foreach (string title in (string[])["in use", "limit", "waiting", "oldest wait", "refused", "deadlocks"])
        {
            table.AddColumn(new TableColumn($"[dim]{title}[/]").RightAligned());
        }

        foreach (BudgetNumbers budget in budgets)
        {
            string wait = budget.Waiting == 0
                ? "-"
                : string.Create(CultureInfo.InvariantCulture, $"{budget.OldestWaitSeconds:#,0.0} s");
            table.AddRow(
                $"[bold]{Words.Escape(budget.Name)}[/]", Words.Bytes(budget.InUse), Words.Bytes(budget.Limit), $"{budget.Waiting:N0}",
                budget.OldestWaitSeconds >= LongWaitSeconds ? $"[red]{wait}[/]" : wait, $"{budget.Refused:N0}", $"{budget.Deadlocks:N0}");
        }

        return table;
    }

    private static long Count(Dictionary<string, double> values, string instrument) =>
        (long)Math.Min(values.GetValueOrDefault(instrument), long.MaxValue / 2);
}
