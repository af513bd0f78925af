namespace Tarn.Tool.Analysis;

/// <summary>
/// Tells lost buffers from held ones. A recording cannot prove a loss: a buffer that is out at the end may come back later. What it shows
/// is how long a site holds the buffers that do come back, and whether those that do not keep growing in number.
/// </summary>
/// <param name="endMicroseconds">The end of the recording.</param>
/// <param name="hasEnded">Whether the process ended with it.</param>
internal sealed class LossJudge(long endMicroseconds, bool hasEnded)
{
    /// <summary>A site loses buffers if it does so in most of these equal parts of the time since its first rent.</summary>
    private const int Parts = 4;

    private const int PartsWithLosses = 3;
    private const int FewestGrowing = 3;

    /// <summary>Fewer returned buffers do not tell how long a site holds them.</summary>
    private const int FewestReturned = 8;

    private const int LongestHolds = 2;
    private const long LongestGrace = 1_000_000;
    private const int GraceShare = 10;

    /// <summary>Younger buffers are in use: a tenth of the recording, and a second at most.</summary>
    public long Grace { get; } = Math.Min(LongestGrace, endMicroseconds / GraceShare);

    /// <summary>The buffers of a site that count as lost, and why. All others that are out are held.</summary>
    public (LossEvidence Evidence, IReadOnlyList<(long Rented, long Bytes, int Stack)> Lost) Judge(SiteOfRents site)
    {
        long age = Math.Max(Grace, LongestHolds * site.LongestHold);
        List<(long Rented, long Bytes, int Stack)> old = [.. site.Open.Where(one => endMicroseconds - one.Rented > age)];
        LossEvidence evidence = (IsGrowing(old, site.FirstMicroseconds, endMicroseconds - age), site.Returned) switch
        {
            (true, > 0) => LossEvidence.Growing,
            (true, _) => hasEnded ? LossEvidence.NoneReturnedToTheEnd : LossEvidence.NoneReturned,
            (_, >= FewestReturned) when old.Count > 0 => LossEvidence.Overdue,
            _ => LossEvidence.None,
        };
        return (evidence, evidence == LossEvidence.None ? [] : old);
    }

    private static bool IsGrowing(List<(long Rented, long Bytes, int Stack)> old, long from, long to)
    {
        if (old.Count < FewestGrowing || to <= from)
        {
            return false;
        }

        var parts = new HashSet<long>(old.Select(one => Math.Min(Parts - 1, (one.Rented - from) * Parts / (to - from))));
        return parts.Count >= PartsWithLosses;
    }
}
