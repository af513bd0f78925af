using Tarn.Lab.Model;

namespace Tarn.Lab.Peers;

/// <summary>The versions of peers that a recorded run measured, and which of them are not the ones in use now.</summary>
internal static class RecordedPeers
{
    /// <summary>The setting of a run that names the versions.</summary>
    public const string Setting = "Peers";

    /// <summary>From then on, runs record the version of every peer.</summary>
    private static readonly DateTimeOffset s_versionsRecorded = new(2026, 11, 27, 0, 0, 0, TimeSpan.Zero);

    /// <summary>What runs had in its place that were recorded before: the versions of the streams' peers.</summary>
    private const string FormerSetting = "Stream peers";

    /// <summary>The peers of a run's comparisons, with the version that it recorded; null if it recorded none.</summary>
    public static IReadOnlyList<(Peer Peer, string? Version)> Of(LabReport report)
    {
        IReadOnlyDictionary<string, string> recorded = VersionsIn(report.Run);
        HashSet<string> measured = [.. report.Comparisons.Select(comparison => comparison.Peer)];
        return
        [
            .. PeerList.All.Where(peer => peer.Contenders.Any(measured.Contains)).Select(
                peer => (peer, recorded.GetValueOrDefault(peer.Name) ?? recorded.GetValueOrDefault(peer.Package ?? ""))),
        ];
    }

    /// <summary>
    /// A sentence for each peer that the run measured in another version than there is now: for a package in this build, the one that
    /// it has, and otherwise the newest that its authors published. A run that compares a peer and does not say in which version is out of
    /// date too, unless it was made before runs said so.
    /// </summary>
    public static IReadOnlyList<string> Stale(LabReport report, Upstream upstream) =>
    [
        .. Of(report).Where(static recorded => recorded.Peer.IsVersioned)
            .Select(recorded => StaleOf(recorded.Peer, recorded.Version, report.Run.StartedAt, upstream))
            .OfType<string>(),
    ];

    private static string? StaleOf(Peer peer, string? recorded, DateTimeOffset when, Upstream upstream)
    {
        if (recorded is null)
        {
            return when >= s_versionsRecorded ? $"it measured {peer.Name} in a version that it did not record: record it again" : null;
        }

        recorded = Shorten(recorded);
        string? inUse = peer.Package is null ? null : peer.ReadVersion();
        string? now = inUse ?? upstream.Peers.GetValueOrDefault(peer.Name)?.Newest;
        if (now is null || recorded == Shorten(now))
        {
            return null;
        }

        string why = inUse is null ? $"{now} is out" : $"the lab has {now} now";
        return $"it measured {peer.Name} {recorded}, and {why}: record it again";
    }

    private static Dictionary<string, string> VersionsIn(RunInfo run)
    {
        string? setting = run.Settings.GetValueOrDefault(Setting) ?? run.Settings.GetValueOrDefault(FormerSetting);
        return (setting ?? "").Split(", ", StringSplitOptions.RemoveEmptyEntries)
            .Select(static peer => (Peer: peer, Space: peer.LastIndexOf(' ')))
            .Where(static named => named.Space > 0)
            .ToDictionary(static named => named.Peer[..named.Space], static named => named.Peer[(named.Space + 1)..]);
    }

    /// <summary>Three parts of a version: 4.0.1 for 4.0.1.0.</summary>
    public static string Shorten(string version) =>
        Version.TryParse(version, out Version? parsed) && parsed.Build >= 0 ? parsed.ToString(3) : version;
}
