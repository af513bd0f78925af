namespace Tarn.Traces;

/// <summary>When a recording ends and how much it may cost.</summary>
public sealed record RecordingOptions
{
    /// <summary>The longest time of a recording that has a limit: 49 days, the longest a timer can wait for.</summary>
    private static readonly TimeSpan s_mostTime = TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    /// <summary>The number of events after which the recording ends; 200,000 by default, which take some 600 KB in a file.</summary>
    public int MostEvents { get; init; } = 200_000;

    /// <summary>The time after which the recording ends, from its beginning. Null: it ends with the process.</summary>
    public TimeSpan? LongestTime { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The mebibytes of unread events that the recorded process buffers. Beyond them, events are lost.</summary>
    public int BufferMegabytes { get; init; } = 256;

    /// <summary>How much the recording holds. Stacks cost the recorded process some microseconds for each event.</summary>
    public RecordingDetail Detail { get; init; }

    /// <summary>
    /// Whether processes of the SDK that a recorded program starts are recorded too: MSBuild, compilers, <c>dotnet</c> itself. By default,
    /// they are left alone.
    /// </summary>
    public bool IncludesSdk { get; init; }

    /// <exception cref="ArgumentOutOfRangeException">A setting is out of range.</exception>
    internal void Verify()
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(MostEvents);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MostEvents, BufferTrace.MostEvents);
        if (LongestTime is { } time)
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(time, TimeSpan.Zero, nameof(LongestTime));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(time, s_mostTime, nameof(LongestTime));
        }

        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(BufferMegabytes);
        ArgumentOutOfRangeException.ThrowIfNotEqual(Enum.IsDefined(Detail), true, nameof(Detail));
    }
}
