namespace Tarn.Tool.Watching;

/// <summary>What a process did during an interval.</summary>
internal sealed record WatchSample
{
    /// <summary>The end of the interval.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>The length of the interval.</summary>
    public required double Seconds { get; init; }

    /// <summary>Whether every rent and return was counted during the whole interval; otherwise these two are unknown.</summary>
    public required bool HasRents { get; init; }

    /// <summary>The pools by name, those that did most first.</summary>
    public required IReadOnlyList<(string Name, PoolCounts Counts)> Pools { get; init; }

    /// <summary>All pools together.</summary>
    public required PoolCounts Total { get; init; }

    /// <summary>
    /// Since the watch began: how many buffers of each power of two of elements were allocated, or rented while rents are counted.
    /// </summary>
    public required IReadOnlyList<(int Power, long Count)> Sizes { get; init; }

    /// <summary>The bytes of the managed heap, as the process last reported them; 0 before it did.</summary>
    public required long HeapBytes { get; init; }

    /// <summary>The values of Tarn's meter by instrument and source; empty where the process has none.</summary>
    public required IReadOnlyList<(string Name, double Value)> Meter { get; init; }
}
