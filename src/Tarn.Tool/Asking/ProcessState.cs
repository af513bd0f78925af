using Spectre.Console;
using Tarn.Diagnostics;
using Tarn.Pages;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Asking;

/// <summary>Every pool, heap and budget of a process that uses Tarn, and the incidents that its checks found.</summary>
/// <param name="Sources">The pools and heaps, the oldest first.</param>
/// <param name="Budgets">The budgets, the oldest first.</param>
/// <param name="Incidents">The groups of incidents, the most frequent first.</param>
internal sealed record ProcessState(
    IReadOnlyList<BufferSourceSnapshot> Sources,
    IReadOnlyList<BudgetNumbers> Budgets,
    IReadOnlyList<ProcessState.IncidentGroup> Incidents)
{
    /// <summary>Reads the events of a report.</summary>
    public static ProcessState Read(IReadOnlyList<ReportPart> parts) => new(
        [
            .. parts.Where(part => part.Name == "ReportedSource").Select(part => new BufferSourceSnapshot
            {
                Name = part.Get<string>("name"),
                Kind = part.Get<string>("kind"),
                InUseBytes = part.Get<long>("inUseBytes"),
                RetainedBytes = part.Get<long>("retainedBytes"),
                Rented = part.Get<long>("rented"),
                Returned = part.Get<long>("returned"),
                Allocated = part.Get<long>("allocated"),
                Id = part.Get<int>("poolId"),
            }),
        ],
        [
            .. parts.Where(part => part.Name == "ReportedBudget").Select(part => new BudgetNumbers(
                part.Get<string>("name"), part.Get<long>("limit"), part.Get<long>("inUse"), part.Get<int>("waiting"),
                part.Get<long>("refused"), part.Get<long>("deadlocks"), part.Get<long>("oldestWait") / BudgetNumbers.Microseconds)),
        ],
        [
            .. parts.Where(part => part.Name == "ReportedIncidents").Select(part => new IncidentGroup(
                part.Get<long>("count"), part.Get<string>("kind"), part.Get<string>("source"), part.Get<string>("place"),
                part.Get<string>("rentedAt"), part.Get<string>("returnedAt"))),
        ]);

    /// <summary>The state as JSON.</summary>
    public string ToJson(DotnetProcess process) =>
        JsonText.Of(new { Process = process.Id, process.Name, Sources, Budgets, Incidents });

    /// <summary>Writes the state as a table and text.</summary>
    public void Write(IAnsiConsole console)
    {
        var table = new Spectre.Console.Table().Border(TableBorder.None);
        table.AddColumn("[dim]pool or heap[/]");
        table.AddColumn("[dim]kind[/]");
        foreach (string title in (string[])["in use", "kept idle", "out", "rented", "allocated"])
        {
            table.AddColumn(new TableColumn($"[dim]{title}[/]").RightAligned());
        }

        foreach (BufferSourceSnapshot source in Sources)
        {
            table.AddRow(
                $"[bold]{Words.Escape(source.Name)}[/]", Words.Escape(source.Kind), Words.Bytes(source.InUseBytes),
                Words.Bytes(source.RetainedBytes), $"{source.Rented - source.Returned:N0}", $"{source.Rented:N0}",
                $"{source.Allocated:N0}");
        }

        console.Write(table);
        console.WriteLine();
        if (Budgets.Count > 0)
        {
            console.Write(BudgetNumbers.Draw(Budgets));
            console.WriteLine();
        }

        console.WriteLine(Incidents.Count == 0
            ? "No incidents. Only pools and heaps with checks look for them."
            : $"{Words.Count(Incidents.Sum(group => group.Count), "incident", "incidents")} at "
                + $"{Words.Count(Incidents.Count, "place", "places")}:");
        foreach (IncidentGroup group in Incidents)
        {
            console.WriteLine(ForeignText.Line($"{group.Count:N0} × {group.Kind} of a buffer of {group.Source}"));
            WriteStack(console, "rented", group.RentedAt);
            WriteStack(console, "returned", group.ReturnedAt);
        }
    }

    private static void WriteStack(IAnsiConsole console, string what, string stack)
    {
        if (stack.Length > 0)
        {
            console.WriteLine($"  last {what}");
            foreach (string line in stack.ReplaceLineEndings("\n").Split('\n'))
            {
                console.WriteLine($"    {line.Trim()}");
            }
        }
    }

    /// <summary>Incidents of one kind, source and place.</summary>
    /// <param name="Count">Their number.</param>
    /// <param name="Kind">The kind of misuse.</param>
    /// <param name="Source">The name of the pool or heap.</param>
    /// <param name="Place">The frames that they have in common; empty without a stack.</param>
    /// <param name="RentedAt">Where the last one's buffer was rented; empty if not known.</param>
    /// <param name="ReturnedAt">Where it was returned; empty if not known.</param>
    internal sealed record IncidentGroup(long Count, string Kind, string Source, string Place, string RentedAt, string ReturnedAt);
}
