using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json.Serialization;

namespace Tarn;

/// <summary>What the page shows: the JSON that it reads every two seconds.</summary>
/// <param name="At">The time of the data.</param>
/// <param name="Process">The process.</param>
/// <param name="Blocks">The blocks of each server.</param>
/// <param name="Sources">Every pool and heap.</param>
/// <param name="Streams">The pooled streams since someone began to look.</param>
/// <param name="Incidents">The misuse found so far.</param>
internal sealed record PageData(
    DateTimeOffset At,
    PageProcess Process,
    IReadOnlyList<BlockPoolSnapshot> Blocks,
    IReadOnlyList<BufferSourceSnapshot> Sources,
    StreamCounts Streams,
    PageIncidents Incidents)
{
    internal static PageData Read(ServerMemoryPoolFactory factory, StreamWatch streams) => new(
        DateTimeOffset.UtcNow,
        PageProcess.Read(),
        factory.GetSnapshots(),
        BufferDiagnostics.GetSnapshot(),
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

/// <summary>The incidents of the process.</summary>
internal sealed record PageIncidents(long Count, long Ungrouped, IReadOnlyList<PageIncidentGroup> Groups)
{
    internal static PageIncidents Read()
    {
        BufferIncidentReport report = BufferDiagnostics.GetIncidents();
        return new PageIncidents(report.Count, report.Ungrouped, [.. report.Groups.Select(PageIncidentGroup.Of)]);
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
    internal static PageIncidentGroup Of(BufferIncidentGroup group) =>
        new(group.Kind.ToString(), group.SourceName, group.Place, group.Count, group.Last.ToString());
}

/// <summary>The JSON of the page, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(PageData))]
internal sealed partial class PageJson : JsonSerializerContext;
