using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>The findings for programs. Times are seconds, sizes are bytes.</summary>
internal static class JsonReport
{
    /// <summary>Raised when a name or a meaning changes.</summary>
    public const int Format = 1;

    public static string Write(Findings findings) => JsonText.Of(
        new
        {
            Format,
            findings.Origin.Program,
            findings.Origin.Command,
            findings.Origin.Runtime,
            findings.Details.ProcessId,
            findings.Origin.RecordedAt,
            Seconds = findings.Duration.TotalSeconds,
            findings.Details.IsFromStart,
            findings.Details.HasEnded,
            IsWhole = !findings.IsPartial,
            Cut = Enum.GetValues<RecordingCut>().Where(one => one != RecordingCut.None && findings.Details.Cut.HasFlag(one)),
            Gaps = Words.Gaps(findings),
            findings.LostEvents,
            findings.HasUnknownElements,
            Verdict = Verdict.Of(findings),
            findings.Rented,
            findings.Returned,
            findings.RentedBytes,
            findings.Threads,
            Lost = findings.Lost.Select(site => new
            {
                Site = site.Site.Name,
                site.Certainty,
                site.Evidence,
                site.Buffers,
                site.Bytes,
                site.Rented,
                site.Returned,
                ActiveSeconds = site.ActiveMicroseconds / 1e6,
                LongestHoldSeconds = site.LongestHoldMicroseconds / 1e6,
                OldestSeconds = site.OldestMicroseconds / 1e6,
                Frames = Frames(site.Site),
            }),
            ReturnedTwice = findings.ReturnedTwice.Select(site => new
            {
                Site = site.Site.Name,
                site.Certainty,
                site.Times,
                site.Bytes,
                Frames = Frames(site.Site),
                FirstReturn = Frames(site.First),
            }),
            NeverRented = findings.NeverRented.Select(
                site => new { Site = site.Site.Name, site.Times, site.Bytes, Frames = Frames(site.Site) }),
            Held = findings.Held.Select(site => new
            {
                Site = site.Site.Name,
                site.Rented,
                site.Returned,
                site.HeldAtEnd,
                site.HeldBytes,
                LongestSeconds = site.LongestMicroseconds / 1e6,
                MeanSeconds = site.MeanMicroseconds / 1e6,
                Frames = Frames(site.Site),
            }),
            Allocated = findings.Allocated.Select(
                site => new { Site = site.Site.Name, site.Buffers, site.Bytes, site.TooLong, Frames = Frames(site.Site) }),
            Pools = findings.Pools.Select(pool => new
            {
                pool.Name,
                pool.Pool.Source,
                pool.Pool.Id,
                pool.Pool.Element,
                pool.Rented,
                pool.Returned,
                pool.Allocated,
                pool.Dropped,
                pool.Trimmed,
                pool.RentedBytes,
            }),
            HoldMicroseconds = findings.Holds,
            SizeBytes = findings.Sizes,
            findings.Timeline,
            findings.Threading,
        });

    private static IEnumerable<StackFrame> Frames(CallSite site) => site.Frames;
}
