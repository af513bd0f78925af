namespace Tarn.Lab.Model;

/// <summary>
/// All results of one run of the lab. Experiments pass nothing else to the report writers. The JSON file contains all of it, the HTML page,
/// the markdown and the CSV present it, and <c>--baseline</c> reads it back.
/// </summary>
internal sealed record LabReport
{
    /// <summary>Raised when an older file can no longer be compared.</summary>
    public int FormatVersion { get; init; } = 1;

    /// <summary>The description of the run: its contents, time and machine.</summary>
    public required RunInfo Run { get; init; }

    /// <summary>Every paired ratio, the most important first: the verdict at the top of the report is drawn from these.</summary>
    public IReadOnlyList<Comparison> Comparisons { get; init; } = [];

    /// <summary>Single figures: allocation, slack, returned memory.</summary>
    public IReadOnlyList<Figure> Figures { get; init; } = [];

    /// <summary>The experiments in reading order.</summary>
    public IReadOnlyList<Section> Sections { get; init; } = [];

    /// <summary>Against the run named by <c>--baseline</c>; empty when there was none.</summary>
    public IReadOnlyList<Change> Changes { get; init; } = [];
}

/// <summary>The description of the run: its contents, time and machine.</summary>
internal sealed record RunInfo
{
    /// <summary>The command a reader types to repeat the run.</summary>
    public required string Command { get; init; }

    /// <summary><c>quick</c> or <c>full</c>.</summary>
    public required string Mode { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required double DurationSeconds { get; init; }

    public required string TarnVersion { get; init; }

    public required Machine Machine { get; init; }

    /// <summary>Settings that affect the measurements: GC mode, tiering, environment switches.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();
}

/// <summary>The machine a run was made on; cache sizes are 0 if the OS does not report them.</summary>
internal sealed record Machine
{
    public required string Processor { get; init; }

    public required int LogicalCores { get; init; }

    public long L1DataBytes { get; init; }

    public long L2Bytes { get; init; }

    public long L3Bytes { get; init; }

    public long MemoryBytes { get; init; }

    public required string OperatingSystem { get; init; }

    public required string Runtime { get; init; }

    public required string Sdk { get; init; }
}
