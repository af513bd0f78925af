using System.Runtime;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>The subject of one loop of the frame tables.</summary>
/// <param name="Collector">One of <see cref="Collectors"/>: fixed when a process starts.</param>
/// <param name="Code">How the loop was compiled.</param>
/// <param name="Way">The name of the loop.</param>
/// <param name="Size">Bytes.</param>
internal readonly record struct FrameCell(string Collector, LoopCode Code, string Way, int Size)
{
    public const string Workstation = "workstation";
    public const string Server = "server";

    /// <summary>The available collectors. On a single core the runtime has no server collector.</summary>
    public static IReadOnlyList<string> Collectors { get; } = Environment.ProcessorCount > 1 ? [Workstation, Server] : [Workstation];

    /// <summary>The collector of this process.</summary>
    public static string CollectorHere => GCSettings.IsServerGC ? Server : Workstation;

    /// <summary>The key in a child's results; the collector is the child's.</summary>
    public string Key => $"{Code} {Size} {Way}";

    /// <summary>The heading of a column or table.</summary>
    public string Heading => $"{Code}, {Collector} GC";
}
