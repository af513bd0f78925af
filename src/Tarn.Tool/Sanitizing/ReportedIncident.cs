using Tarn.Sanitizing.Checking;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>What a process reported of one kind of misuse at one place.</summary>
internal sealed record ReportedIncident
{
    public required int Process { get; init; }

    public required IncidentKind Kind { get; init; }

    public required string Pool { get; init; }

    public required string Element { get; init; }

    /// <summary>The length asked for by the first; of an array that no pool handed out, its length.</summary>
    public required long Length { get; init; }

    public required string Detail { get; init; }

    /// <summary>How often it happened.</summary>
    public long Count { get; set; } = 1;

    /// <summary>The size of all buffers.</summary>
    public long Bytes { get; set; }

    /// <summary>The stack of the wrong call itself, the innermost frame first; empty if the misuse is no call.</summary>
    public IReadOnlyList<StackFrame> At { get; init; } = [];

    public IReadOnlyList<StackFrame> Rented { get; init; } = [];

    public IReadOnlyList<StackFrame> Returned { get; init; } = [];

    /// <summary>The stack that the finding is named after.</summary>
    public IReadOnlyList<StackFrame> Main => At.Count > 0 ? At : Returned.Count > 0 ? Returned : Rented;
}
