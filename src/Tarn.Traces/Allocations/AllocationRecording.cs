namespace Tarn.Traces;

/// <summary>What a process allocated during some time, by samples.</summary>
internal sealed record AllocationRecording
{
    /// <summary>The mean number of bytes between two samples, in both ways.</summary>
    internal const int Interval = 100 << 10;

    /// <summary>The process.</summary>
    internal required int ProcessId { get; init; }

    /// <summary>What the process said of itself.</summary>
    internal required ProcessFacts Facts { get; init; }

    /// <summary>The start of the recording.</summary>
    internal required DateTimeOffset At { get; init; }

    /// <summary>How long it was.</summary>
    internal required TimeSpan Duration { get; init; }

    /// <summary>How much of that time the process was sampled.</summary>
    internal required TimeSpan Sampled { get; init; }

    /// <summary>The windows in which it was; one if there is no gap between them.</summary>
    internal required int Windows { get; init; }

    /// <summary>
    /// Whether each byte had the same chance to be sampled, as from .NET 10 on, so that errors are known. Before, the runtime told of one
    /// object in a hundred kilobytes, whichever came then.
    /// </summary>
    internal required bool IsRandom { get; init; }

    /// <summary>The samples.</summary>
    internal required IReadOnlyList<AllocationSample> Samples { get; init; }

    /// <summary>The names of types, as the runtime has them.</summary>
    internal required IReadOnlyList<string> Types { get; init; }

    /// <summary>The stacks that samples refer to.</summary>
    internal required StackTable Stacks { get; init; }

    /// <summary>The collections of garbage.</summary>
    internal required IReadOnlyList<RecordedCollection> Collections { get; init; }

    /// <summary>
    /// What became of the object of each sample; null if that was not asked for, or is not known, because events were lost.
    /// </summary>
    internal required IReadOnlyList<ObjectFate>? Fates { get; init; }

    /// <summary>Whether the process collected all its garbage at the end.</summary>
    internal required bool HasCollected { get; init; }

    /// <summary>How many events the runtime dropped.</summary>
    internal required long LostEvents { get; init; }

    /// <summary>What the recording lacks.</summary>
    internal required RecordingCut Cut { get; init; }
}
