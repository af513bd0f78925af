using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>What a recording shows. Lists begin with the most important.</summary>
internal sealed record Findings
{
    public required TraceOrigin Origin { get; init; }

    public required TraceDetails Details { get; init; }

    /// <summary>The length of the recording.</summary>
    public required TimeSpan Duration { get; init; }

    public required int Threads { get; init; }

    public required long Rented { get; init; }

    public required long Returned { get; init; }

    public required long RentedBytes { get; init; }

    /// <summary>Buffers that are younger than this at the end are in use and judged no further.</summary>
    public required TimeSpan Grace { get; init; }

    public required IReadOnlyList<LostSite> Lost { get; init; }

    public required IReadOnlyList<ReturnedTwiceSite> ReturnedTwice { get; init; }

    /// <summary>Returns of arrays that the pool never handed out; known only of processes recorded from their start.</summary>
    public required IReadOnlyList<UnseenSite> NeverRented { get; init; }

    public required IReadOnlyList<HeldSite> Held { get; init; }

    public required IReadOnlyList<AllocationSite> Allocated { get; init; }

    public required IReadOnlyList<PoolUse> Pools { get; init; }

    /// <summary>How long buffers were out that came back, in microseconds.</summary>
    public required IReadOnlyList<HistogramBar> Holds { get; init; }

    /// <summary>The lengths of rented buffers, in bytes.</summary>
    public required IReadOnlyList<HistogramBar> Sizes { get; init; }

    public required IReadOnlyList<TimelinePoint> Timeline { get; init; }

    public required IReadOnlyList<ThreadFlow> Threading { get; init; }

    /// <summary>The bytes allocated at each stack, for a flame graph.</summary>
    public required IReadOnlyDictionary<int, long> AllocatedByStack { get; init; }

    /// <summary>Whether some sizes are counts of elements, because the pool's element type is unknown.</summary>
    public required bool HasUnknownElements { get; init; }

    /// <summary>The events that the runtime dropped. With any, a missing return may be a missing event.</summary>
    public long LostEvents => Origin.LostEvents;

    /// <summary>Whether the recording lacks something of what it was to have, besides the rest of a process that was attached to.</summary>
    public bool IsPartial => LostEvents > 0
        || (Details.Cut & (RecordingCut.Events | RecordingCut.Bytes | RecordingCut.Broken)) != 0
        || (Details.IsFromStart && Details.Cut != RecordingCut.None);

    /// <summary>The bytes that are likely lost in a minute.</summary>
    public double LostBytesPerMinute(Certainty certainty) =>
        Duration <= Grace ? 0 : Lost.Where(site => site.Certainty == certainty).Sum(site => site.Bytes) / (Duration - Grace).TotalMinutes;
}
