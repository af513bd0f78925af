namespace Tarn.Tool.Allocations;

/// <summary>What pooling would save in a process. This is what <c>tarn candidates --json</c> writes.</summary>
internal sealed record CandidateReport
{
    /// <summary>Raised when a name or a meaning changes.</summary>
    public const int CurrentFormat = 1;

    public required int Format { get; init; }

    /// <summary>The process id.</summary>
    public required int Process { get; init; }

    /// <summary>The name of its entry assembly.</summary>
    public required string Name { get; init; }

    /// <summary>The version of its runtime.</summary>
    public required string Runtime { get; init; }

    /// <summary>When the recording began.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>How long the recording was.</summary>
    public required double Seconds { get; init; }

    /// <summary>What was allocated, about.</summary>
    public required double Bytes { get; init; }

    /// <summary>The error of the bytes; null where it is not known.</summary>
    public required double? ErrorBytes { get; init; }

    /// <summary>Those of the bytes that are in arrays.</summary>
    public required double ArrayBytes { get; init; }

    /// <summary>The collections during the recording.</summary>
    public required int Collections { get; init; }

    /// <summary>The samples that all this is estimated from.</summary>
    public required int Samples { get; init; }

    /// <summary>Whether anything is worth pooling, in one sentence.</summary>
    public required string Verdict { get; init; }

    /// <summary>The places, what saves most first.</summary>
    public required IReadOnlyList<Candidate> Candidates { get; init; }

    /// <summary>What is not known, and why.</summary>
    public required IReadOnlyList<string> Unknown { get; init; }
}
