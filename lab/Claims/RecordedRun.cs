using Tarn.Lab.Model;
using Tarn.Lab.Peers;
using Tarn.Lab.Report;

namespace Tarn.Lab.Claims;

/// <summary>A run under lab/results.</summary>
/// <param name="Folder">Its folder, from the root of the repository.</param>
/// <param name="Peers">The peers that it measured, and in which version; null where it recorded none.</param>
/// <param name="Stale">A sentence for each peer that it measured in another version than there is now.</param>
internal sealed record RecordedRun(string Folder, IReadOnlyList<(Peer Peer, string? Version)> Peers, IReadOnlyList<string> Stale)
{
    /// <exception cref="InvalidDataException">A results.json is not one.</exception>
    public static IReadOnlyList<RecordedRun> ReadAll(string repositoryRoot)
    {
        string folder = Path.Combine(repositoryRoot, "lab", "results");
        Upstream upstream = Upstream.Read();
        return Directory.Exists(folder)
            ? [.. Directory.GetFiles(folder, "results.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(Read)]
            : [];

        RecordedRun Read(string path)
        {
            LabReport report = ReportReader.Read(path);
            string from = Path.GetRelativePath(repositoryRoot, Path.GetDirectoryName(path)!);
            return new RecordedRun(from, RecordedPeers.Of(report), RecordedPeers.Stale(report, upstream));
        }
    }

    /// <summary>
    /// What documents state between the markers <c>claim:version-NAME</c>: the versions of the peers that the runs measured.
    /// </summary>
    public static IReadOnlyDictionary<string, string> VersionsOf(IEnumerable<RecordedRun> runs) =>
        runs.SelectMany(static run => run.Peers)
            .Where(static recorded => recorded.Version is not null)
            .GroupBy(static recorded => recorded.Peer)
            .ToDictionary(
                static group => "version-" + group.Key.Name.ToLowerInvariant().Replace('.', '-').Replace(' ', '-'),
                static group => string.Join(
                    " and ", group.Select(static one => RecordedPeers.Shorten(one.Version!)).Distinct().Order(StringComparer.Ordinal)));
}
