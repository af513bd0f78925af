using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Tool.Asking;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Watching;

/// <summary>The live view of a terminal.</summary>
internal sealed class WatchView(DotnetProcess process)
{
    private const int ShownPools = 8;
    private const int ShownSizes = 10;
    private const int ShownBudgets = 8;
    private const int History = 60;
    private const int SizeBarWidth = 30;

    private readonly Queue<long> _heap = new();
    private readonly Queue<long> _allocated = new();

    /// <summary>Draws a sample.</summary>
    /// <param name="sample">The last interval; null before the first has ended.</param>
    /// <param name="countsRents">Whether rents and returns are counted now.</param>
    public IRenderable Draw(WatchSample? sample, bool countsRents)
    {
        List<IRenderable> rows = [Head(countsRents)];
        if (sample is null)
        {
            rows.Add(new Text("waiting for the first second …"));
            return new Rows(rows);
        }

        Remember(_heap, sample.HeapBytes);
        Remember(_allocated, sample.Total.Allocated);
        rows.Add(Text.Empty);
        rows.Add(Pools(sample));
        rows.Add(Text.Empty);
        rows.Add(new Markup($"heap       {Line(_heap)}  [bold]{(sample.HeapBytes == 0 ? "-" : Words.Bytes(sample.HeapBytes))}[/]"));
        rows.Add(new Markup($"allocated  {Line(_allocated)}  [bold]{WatchText.PerSecond(sample.Total.Allocated, sample)}[/] buffers/s"));
        AddSizes(rows, sample, countsRents);
        AddBudgets(rows, sample);
        AddMeter(rows, sample);
        rows.Add(Text.Empty);
        rows.Add(new Markup(countsRents
            ? "[dim]r[/] count allocations only   [dim]q[/] quit"
            : "[dim]r[/] count every rent and return for 5 s   [dim]q[/] quit"));
        return new Rows(rows);
    }

    private Markup Head(bool countsRents) => new(
        $"[bold]{Words.Escape(process.Name)}[/]  process {process.Id}  {Words.Escape(process.Runtime)}  "
        + (countsRents
            ? "[yellow]every rent and return is counted, which slows a process that rents much[/]"
            : "[dim]allocations, drops and trims only: the process hardly notices[/]"));

    private static IRenderable Pools(WatchSample sample)
    {
        if (sample.Pools.Count == 0)
        {
            return new Markup("[dim]no pool has allocated, dropped or trimmed a buffer yet[/]");
        }

        var table = new Table().Border(TableBorder.None);
        table.AddColumn("[dim]pool[/]");
        foreach (string title in (string[])["rents/s", "returns/s", "allocated/s", "elements/s", "dropped/s", "trimmed/s"])
        {
            table.AddColumn(new TableColumn($"[dim]{title}[/]").RightAligned());
        }

        foreach ((string name, PoolCounts counts) in sample.Pools.Take(ShownPools))
        {
            string Rate(long count) => WatchText.PerSecond(count, sample);
            table.AddRow(
                Words.Escape(name),
                sample.HasRents ? Rate(counts.Rented) : WatchText.Unknown,
                sample.HasRents ? Rate(counts.Returned) : WatchText.Unknown,
                Rate(counts.Allocated),
                Rate(counts.AllocatedElements),
                Rate(counts.Dropped),
                Rate(counts.Trimmed));
        }

        if (sample.Pools.Count > ShownPools)
        {
            table.AddRow($"[dim]and {sample.Pools.Count - ShownPools} more[/]");
        }

        return table;
    }

    private static void AddSizes(List<IRenderable> rows, WatchSample sample, bool countsRents)
    {
        if (sample.Sizes.Count == 0)
        {
            return;
        }

        rows.Add(Text.Empty);
        rows.Add(new Markup($"[dim]{(countsRents ? "rented" : "allocated")} buffers by length, in elements[/]"));
        long most = sample.Sizes.Max(size => size.Count);
        foreach ((int power, long count) in sample.Sizes.OrderByDescending(size => size.Count).Take(ShownSizes).OrderBy(size => size.Power))
        {
            int width = (int)Math.Max(1, count * SizeBarWidth / most);
            rows.Add(new Markup($"{1L << power,13:N0}  [teal]{new string('█', width)}[/] {count:N0}"));
        }
    }

    private static void AddBudgets(List<IRenderable> rows, WatchSample sample)
    {
        IReadOnlyList<BudgetNumbers> budgets = BudgetNumbers.Read(sample.Meter);
        if (budgets.Count > 0)
        {
            rows.Add(Text.Empty);
            rows.Add(BudgetNumbers.Draw(budgets.OrderByDescending(budget => budget.OldestWaitSeconds).Take(ShownBudgets)));
            if (budgets.Count > ShownBudgets)
            {
                rows.Add(new Markup($"[dim]and {budgets.Count - ShownBudgets} more[/]"));
            }
        }
    }

    private static void AddMeter(List<IRenderable> rows, WatchSample sample)
    {
        (string Name, double Value)[] meter = [.. sample.Meter.Where(one => !BudgetNumbers.IsOfBudget(one.Name))];
        if (meter.Length > 0)
        {
            rows.Add(Text.Empty);
            rows.Add(new Markup("[dim]Tarn's meter[/]"));
            rows.AddRange(meter.Select(one => new Markup($"  {Words.Escape(one.Name)}  [bold]{one.Value:N0}[/]")));
        }
    }

    private static void Remember(Queue<long> history, long value)
    {
        history.Enqueue(value);
        if (history.Count > History)
        {
            _ = history.Dequeue();
        }
    }

    private static string Line(Queue<long> history) => $"[teal]{Sparkline.Of([.. history])}[/]";
}
