namespace Tarn.Traces;

/// <summary>When a recording ends and what it may cost.</summary>
public sealed record RecordingOptions
{
    /// <summary>Ends after that many events; 200,000 by default, which is some 600 KB in a file.</summary>
    public int MostEvents { get; init; } = 200_000;

    /// <summary>Ends after that time, counted from the moment the recording begins.</summary>
    public TimeSpan LongestTime { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The recorded process buffers that many mebibytes of events that were not read yet; beyond them, events are lost.</summary>
    public int BufferMegabytes { get; init; } = 256;

    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range.</exception>
    internal void Verify()
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(MostEvents);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MostEvents, BufferTrace.MostEvents);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(LongestTime, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(BufferMegabytes);
    }
}
