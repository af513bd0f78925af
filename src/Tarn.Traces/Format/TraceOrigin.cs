namespace Tarn.Traces;

/// <summary>The origin of a trace, and the events that the recording missed.</summary>
public sealed record TraceOrigin
{
    /// <summary>The program, such as the name of its entry assembly; for a generated trace, the one it was modelled on.</summary>
    public required string Program { get; init; }

    /// <summary>The command line of the recorded process.</summary>
    public required string Command { get; init; }

    /// <summary>The runtime of the recorded process.</summary>
    public required string Runtime { get; init; }

    /// <summary>How the trace was made: <c>attached</c>, <c>started</c> or <c>generated</c>, and further remarks for readers.</summary>
    public required string How { get; init; }

    /// <summary>The time of the recording, to the millisecond, in UTC.</summary>
    public required DateTimeOffset RecordedAt { get; init; }

    /// <summary>The events that the runtime dropped because they were not read in time; 0 in a faithful recording.</summary>
    public long LostEvents { get; init; }

    /// <summary>The returns of buffers that were rented before the recording began. They are not in the trace.</summary>
    public long UnmatchedReturns { get; init; }

    /// <summary>The number of buffers that the program's own pools allocated during the recording.</summary>
    public long Allocated { get; init; }

    /// <summary>The number of returned buffers that the program's own pools dropped during the recording.</summary>
    public long Dropped { get; init; }
}
