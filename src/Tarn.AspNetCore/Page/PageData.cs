using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json.Serialization;
using Tarn.Diagnostics;

namespace Tarn;

/// <summary>What the page shows: the JSON that it reads every two seconds.</summary>
/// <param name="At">The time of the data.</param>
/// <param name="Process">The process.</param>
/// <param name="Blocks">The blocks of each server.</param>
/// <param name="Sources">Every pool and heap.</param>
/// <param name="Budgets">The budgets.</param>
/// <param name="Streams">The pooled streams since someone began to look.</param>
/// <param name="Incidents">The misuse found so far.</param>
internal sealed record PageData(
    DateTimeOffset At,
    PageProcess Process,
    IReadOnlyList<BlockPoolSnapshot> Blocks,
    IReadOnlyList<BufferSourceSnapshot> Sources,
    PageBudgets Budgets,
    StreamCounts Streams,
    PageIncidents Incidents)
{
    internal static PageData Read(ServerMemoryPoolFactory factory, StreamWatch streams) => new(
        DateTimeOffset.UtcNow,
        PageProcess.Read(),
        factory.GetSnapshots(),
        BufferDiagnostics.GetSources(),
        PageBudgets.Read(),
        streams.Look(),
        PageIncidents.Read());
}

/// <summary>The process that the page describes; sizes in bytes.</summary>
internal sealed record PageProcess(
    string Name, int Id, string Runtime, DateTimeOffset StartedAt, long ResidentBytes, long ManagedBytes, int FullCollections)
{
    private static readonly DateTimeOffset s_startedAt = ReadStart();

    internal static PageProcess Read() => new(
        AppDomain.CurrentDomain.FriendlyName,
        Environment.ProcessId,
        RuntimeInformation.FrameworkDescription,
        s_startedAt,
        Environment.WorkingSet,
        GC.GetTotalMemory(forceFullCollection: false),
        GC.CollectionCount(GC.MaxGeneration));

    private static DateTimeOffset ReadStart()
    {
        using Process process = System.Diagnostics.Process.GetCurrentProcess();
        return process.StartTime;
    }
}

/// <summary>The budgets of the process.</summary>
/// <param name="Count">How many there are.</param>
/// <param name="Waiting">The requests that wait for any of them.</param>
/// <param name="Shown">All of them, or of many those that have the most to tell.</param>
internal sealed record PageBudgets(int Count, int Waiting, IReadOnlyList<PageBudget> Shown)
{
    /// <summary>A program may have a budget for each of its customers.</summary>
    internal const int MostShown = 100;

    internal static PageBudgets Read()
    {
        IReadOnlyList<BufferBudget> all = BufferBudget.List();
        IEnumerable<BufferBudget> shown = all.Count <= MostShown
            ? all
            : all.OrderByDescending(static one => one.Waiting).ThenByDescending(static one => one.InUse).Take(MostShown);
        return new PageBudgets(all.Count, all.Sum(static one => one.Waiting), [.. shown.Select(PageBudget.Of)]);
    }
}

/// <summary>A budget; sizes in bytes, times in seconds.</summary>
internal sealed record PageBudget(
    string Name, string? Parent, long InUse, long Limit, int Waiting, double OldestWait, double LongestWait, long Refused, long Deadlocks)
{
    internal static PageBudget Of(BufferBudget budget) => new(
        budget.Name,
        budget.Parent?.Name,
        budget.InUse,
        budget.Limit,
        budget.Waiting,
        budget.OldestWait.TotalSeconds,
        budget.LongestWait.TotalSeconds,
        budget.Refused,
        budget.Deadlocks);
}

/// <summary>The incidents of the process.</summary>
internal sealed record PageIncidents(long Count, long Ungrouped, IReadOnlyList<PageIncidentGroup> Groups)
{
    internal static PageIncidents Read()
    {
        IReadOnlyList<BufferIncident> incidents = BufferDiagnostics.GetIncidents();
        long count = BufferDiagnostics.IncidentCount;
        long grouped = incidents.Sum(static incident => incident.Count);
        return new PageIncidents(count, Math.Max(0, count - grouped), [.. incidents.Select(PageIncidentGroup.Of)]);
    }
}

/// <summary>The incidents of one kind, source and place.</summary>
/// <param name="Kind">The kind of misuse.</param>
/// <param name="Source">The pool or heap.</param>
/// <param name="Place">The place, a line or two.</param>
/// <param name="Count">How many.</param>
/// <param name="Last">The most recent one with its stacks.</param>
internal sealed record PageIncidentGroup(string Kind, string Source, string? Place, long Count, string Last)
{
    internal static PageIncidentGroup Of(BufferIncident last) =>
        new(last.Kind.ToString(), last.SourceName, last.Place, last.Count, last.ToString());
}

/// <summary>The JSON of the page, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(PageData))]
internal sealed partial class PageJson : JsonSerializerContext;
