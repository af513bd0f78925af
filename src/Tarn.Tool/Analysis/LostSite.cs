namespace Tarn.Tool.Analysis;

/// <summary>A call site whose buffers did not come back.</summary>
internal sealed record LostSite
{
    public required CallSite Site { get; init; }

    public required LossEvidence Evidence { get; init; }

    public required Certainty Certainty { get; init; }

    /// <summary>The buffers that did not come back and count as lost.</summary>
    public required int Buffers { get; init; }

    public required long Bytes { get; init; }

    /// <summary>The tests that rented them.</summary>
    public IReadOnlyList<TestCount> Tests { get; init; } = [];

    /// <summary>All buffers that the site rented during the recording.</summary>
    public required int Rented { get; init; }

    public required int Returned { get; init; }

    /// <summary>The longest time that one of the returned buffers was out.</summary>
    public required long LongestHoldMicroseconds { get; init; }

    /// <summary>The time from the site's first rent to its last.</summary>
    public required long ActiveMicroseconds { get; init; }

    /// <summary>The age of the oldest lost buffer at the end of the recording.</summary>
    public required long OldestMicroseconds { get; init; }

    /// <summary>Whether two sites are one whose code was compiled several times, or went on after an await.</summary>
    public bool Is(LostSite other) => Site.Identity.Is(other.Site.Identity)
        && (Site.Frames.Count == 0 || other.Site.Frames.Count == 0 || Site.Frames[0].Method == other.Site.Frames[0].Method
            || Site.Identity.IsDeeperThan(other.Site.Identity) || other.Site.Identity.IsDeeperThan(Site.Identity));

    /// <summary>This site with the buffers of another that is the same.</summary>
    public LostSite With(LostSite other)
    {
        LostSite told = (other.Certainty, other.Buffers).CompareTo((Certainty, Buffers)) > 0 ? other : this;
        return told with
        {
            Site = other.Site.Identity.IsDeeperThan(Site.Identity) ? other.Site : Site,
            Buffers = Buffers + other.Buffers,
            Bytes = Bytes + other.Bytes,
            Tests = TestCount.Sum(Tests.Concat(other.Tests)),
            Rented = Rented + other.Rented,
            Returned = Returned + other.Returned,
            LongestHoldMicroseconds = Math.Max(LongestHoldMicroseconds, other.LongestHoldMicroseconds),
            ActiveMicroseconds = Math.Max(ActiveMicroseconds, other.ActiveMicroseconds),
            OldestMicroseconds = Math.Max(OldestMicroseconds, other.OldestMicroseconds),
            YoungestMicroseconds = Math.Min(YoungestMicroseconds, other.YoungestMicroseconds),
        };
    }

    /// <summary>The age of the youngest of them.</summary>
    public required long YoungestMicroseconds { get; init; }
}
