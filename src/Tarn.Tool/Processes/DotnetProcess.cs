namespace Tarn.Tool.Processes;

/// <summary>A running .NET process.</summary>
/// <param name="Id">The process id.</param>
/// <param name="Name">The name of its entry assembly, or of its executable.</param>
/// <param name="Runtime">The version of its runtime; empty if it does not tell.</param>
/// <param name="Command">Its command line; empty if it does not tell.</param>
/// <param name="Pools">The kinds of pools whose assemblies it has loaded.</param>
/// <param name="Problem">Why it cannot be attached to; null if it can.</param>
internal sealed record DotnetProcess(
    int Id, string Name, string Runtime, string Command, IReadOnlyList<string> Pools, string? Problem = null);
