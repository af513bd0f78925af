using Tarn.Lab.Model;

namespace Tarn.Lab.Peers;

/// <summary>The versions of peers that a recorded run measured, and which of them are not the ones in use now.</summary>
internal static class RecordedPeers
{
    /// <summary>The setting of a run that names the versions.</summary>
    public const string Setting = "Peers";

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
    /// A sentence for each package that the run measured in another version than this build has. Allocators of the system are not among
    /// them: another system has others.
    /// </summary>
    public static IReadOnlyList<string> Stale(LabReport report) =>
    [
        .. Of(report)
            .Where(static recorded => recorded is { Peer.Package: not null, Version: not null })
            .Select(static recorded => (recorded.Peer, Recorded: recorded.Version!, InUse: recorded.Peer.ReadVersion()))
            .Where(static peer => peer.InUse is not null && Shorten(peer.Recorded) != Shorten(peer.InUse))
            .Select(static peer =>
                $"it measured {peer.Peer.Name} {Shorten(peer.Recorded)}, and the lab has {peer.InUse} now: record it again"),
    ];

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
