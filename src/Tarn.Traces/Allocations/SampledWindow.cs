namespace Tarn.Traces;

/// <summary>What one session sampled of a process, without a gap. Reading it takes a while, so that is left to the end.</summary>
/// <param name="stacked">The events, which this disposes.</param>
/// <param name="events">Reads them.</param>
internal sealed class SampledWindow(StackedEvents stacked, AllocationEvents events) : IDisposable
{
    /// <summary>Whether the process collected all its garbage at its end.</summary>
    internal required bool HasCollected { get; init; }

    /// <summary>What ended it; <see cref="RecordingCut.Bytes"/> alone if it has as many bytes as it may.</summary>
    internal required RecordingCut Cut { get; init; }

    /// <summary>How long it sampled.</summary>
    internal required TimeSpan Length { get; init; }

    /// <summary>How long the process took to end it.</summary>
    internal required TimeSpan Ending { get; init; }

    /// <summary>The bytes of its events.</summary>
    internal long Bytes => stacked.Bytes;

    /// <summary>The time that it stands for, up to the next one.</summary>
    internal TimeSpan Period { get; set; }

    /// <summary>What the process worked in the window and in that time; null if that is not known, or the same.</summary>
    internal (TimeSpan InWindow, TimeSpan InPeriod)? Work { get; set; }

    internal IReadOnlyList<AllocationSample> Samples => events.Samples;

    internal IReadOnlyList<string> Types => events.Types;

    internal IReadOnlyList<RecordedCollection> Collections => events.Collected;

    internal StackTable Stacks => stacked.Stacks;

    /// <summary>See <see cref="AllocationEvents.Fates"/>; null if events were lost, too.</summary>
    internal IReadOnlyList<ObjectFate>? Fates => LostEvents == 0 ? events.Fates : null;

    internal long LostEvents { get; private set; }

    /// <summary>How often the work in its time has that in the window in it.</summary>
    internal double Weight => Work is { } work
        ? SamplingPace.Weigh(events.Samples.Count, work.InWindow, work.InPeriod, Period / Length)
        : 1;

    /// <summary>Reads the events.</summary>
    /// <exception cref="FormatException">They end before the first one.</exception>
    internal void Read() => LostEvents = stacked.Read(events.Subscribe, _ => { });

    public void Dispose() => stacked.Dispose();
}
