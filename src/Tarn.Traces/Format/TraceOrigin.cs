namespace Tarn.Traces;

/// <summary>Where a trace comes from and what the recording missed.</summary>
public sealed record TraceOrigin
{
    /// <summary>The program, such as the name of its entry assembly; for a generated trace, the one it was modelled on.</summary>
    public required string Program { get; init; }

    /// <summary>The command line of the recorded process.</summary>
    public required string Command { get; init; }

    /// <summary>The runtime of the recorded process.</summary>
    public required string Runtime { get; init; }

    /// <summary>How the trace was made: <c>attached</c>, <c>started</c> or <c>generated</c>, and what else a reader should know.</summary>
    public required string How { get; init; }

    /// <summary>When, to the millisecond, in UTC.</summary>
    public required DateTimeOffset RecordedAt { get; init; }

    /// <summary>Events that the runtime dropped because nobody read them in time; 0 in a faithful recording.</summary>
    public long LostEvents { get; init; }

    /// <summary>Returns of buffers whose rent was not seen, as it happened before the recording began; they are not in the trace.</summary>
    public long UnmatchedReturns { get; init; }

    /// <summary>How many buffers the program's own pools allocated meanwhile.</summary>
    public long Allocated { get; init; }

    /// <summary>How many returned buffers the program's own pools dropped meanwhile.</summary>
    public long Dropped { get; init; }
}
