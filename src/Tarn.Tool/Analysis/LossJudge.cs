namespace Tarn.Tool.Analysis;

/// <summary>
/// Tells lost buffers from held ones. A recording cannot prove a loss: a buffer that is out at the end may come back later. What it shows
/// is how long a site holds the buffers that do come back, and whether those that do not keep growing in number while the site rents.
/// </summary>
/// <param name="beginMicroseconds">The begin of the recording.</param>
/// <param name="endMicroseconds">The end of the recording.</param>
/// <param name="hasEnded">Whether the process ended with it, so that nothing comes back later.</param>
internal sealed class LossJudge(long beginMicroseconds, long endMicroseconds, bool hasEnded)
{
    /// <summary>A site loses buffers if it does so in most of these equal parts of a time.</summary>
    private const int Parts = 4;

    private const int PartsWithLosses = 3;

    /// <summary>Over seconds, or where others come back, so few suffice.</summary>
    private const int FewestGrowing = 3;

    /// <summary>Fewer returned buffers do not tell how long a site holds them.</summary>
    private const int FewestReturned = 8;

    /// <summary>In a short time, fewer buffers that do not come back are such as a program sets up once.</summary>
    private const int FewestInPhase = 8;

    /// <summary>More buffers than these are hardly held on purpose until a process ends.</summary>
    private const int MostHeldForGood = 64;

    private const int LongestHolds = 2;
    private const long LongestGrace = 1_000_000;
    private const int GraceDivisor = 10;

    /// <summary>Younger buffers are in use: a tenth of the recording, and a second at most. Of sites that began later, less.</summary>
    public long Grace { get; } = GraceSince(beginMicroseconds, endMicroseconds);

    /// <summary>The buffers of a site that count as lost, and why. All others that are out are held.</summary>
    public (LossEvidence Evidence, IReadOnlyList<(long Rented, long Bytes, int Stack)> Lost) Judge(SiteOfRents site)
    {
        long age = Math.Max(GraceSince(site.FirstMicroseconds, endMicroseconds), LongestHolds * site.LongestHold);
        long judged = endMicroseconds - age;
        List<(long Rented, long Bytes, int Stack)> old = [.. site.Open.Where(one => one.Rented < judged)];
        bool isTelling = site.Returned > 0 || endMicroseconds - site.FirstMicroseconds >= Parts * LongestGrace;
        int fewest = isTelling ? FewestGrowing : FewestInPhase;
        bool goesOn = old.Count >= fewest && IsGrowing(old, site.FirstMicroseconds, judged);
        bool isPhase = old.Count >= FewestInPhase && IsGrowing(old, site.FirstMicroseconds, Math.Min(judged, site.LastMicroseconds));
        LossEvidence evidence = (goesOn, isPhase, site.Returned) switch
        {
            (true, _, > 0) => LossEvidence.Growing,
            (true, _, _) => hasEnded ? LossEvidence.NoneReturnedToTheEnd : LossEvidence.NoneReturned,
            (_, true, > 0) when hasEnded => LossEvidence.GrowingInPhase,
            (_, true, 0) => LossEvidence.NoneReturnedOfPhase,
            (_, true, _) => LossEvidence.Overdue,
            (_, _, >= FewestReturned) when old.Count > 0 => LossEvidence.Overdue,
            _ => LossEvidence.None,
        };
        return (evidence, evidence == LossEvidence.None ? [] : old);
    }

    /// <summary>How far a whole recording can be trusted with this evidence.</summary>
    public Certainty CertaintyOf(LossEvidence evidence, int buffers) => evidence switch
    {
        LossEvidence.Growing or LossEvidence.GrowingInPhase or LossEvidence.NoneReturnedToTheEnd => Certainty.Likely,
        LossEvidence.NoneReturnedOfPhase when hasEnded && buffers > MostHeldForGood => Certainty.Likely,
        _ => Certainty.Possible,
    };

    private static long GraceSince(long first, long end) => Math.Min(LongestGrace, (end - first) / GraceDivisor);

    private static bool IsGrowing(List<(long Rented, long Bytes, int Stack)> old, long from, long to) =>
        to > from
        && old.Select(one => Math.Min(Parts - 1, (one.Rented - from) * Parts / (to - from))).Distinct().Count() >= PartsWithLosses;
}
