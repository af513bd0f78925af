using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Tarn.Lab.Claims;
using Tarn.Lab.Peers;
using Markup = Spectre.Console.Markup;

namespace Tarn.Lab.Running;

/// <summary><c>peers</c>: which version of each peer the lab measures, and whether there is a newer one.</summary>
internal static class PeersCommand
{
    public static Command Create()
    {
        var command = new Command("peers", "Measures nothing: lists the version of each peer here, in the recorded runs, and upstream.");
        command.SetAction(_ =>
        {
            ThreadStorageRestart.DoIfNeeded();
            return LabCommand.Guarded(() => Write(ConsoleSummary.CreateConsole()));
        });
        return command;
    }

    private static int Write(IAnsiConsole console)
    {
        Upstream upstream = Upstream.Read();
        IReadOnlyList<RecordedRun> runs = RecordedRun.ReadAll(ClaimDocuments.FindRepositoryRoot());
        var table = new Spectre.Console.Table().Border(TableBorder.Simple);
        foreach (string title in (string[])["Peer", "Here", "Released", "Newest", "Released", "Recorded"])
        {
            table.AddColumn(title);
        }

        foreach (Peer peer in PeerList.All)
        {
            string? here = peer.ReadVersion();
            Upstream.Versions? versions = upstream.Peers.GetValueOrDefault(peer.Name);
            table.AddRow(
                Markup.Escape(peer.Name),
                here ?? "not here",
                versions?.DateOf(here) ?? "",
                versions?.Newest ?? "",
                versions?.DateOf(versions.Newest) ?? "",
                VersionsIn(runs, peer));
        }

        console.Write(table);
        string when = upstream.LookedUp.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        console.WriteLine($"Newest: as of {when}. Recorded: by the runs under lab/results.");
        foreach (RecordedRun run in runs)
        {
            foreach (string stale in run.Stale)
            {
                console.WriteLine($"{run.Folder}: {stale}.");
            }
        }

        return 0;
    }

    /// <summary>The versions of a peer that runs measured; "unknown" for those which did not record it.</summary>
    private static string VersionsIn(IEnumerable<RecordedRun> runs, Peer peer)
    {
        IEnumerable<string> versions = runs.SelectMany(static run => run.Peers)
            .Where(recorded => recorded.Peer == peer)
            .Select(static recorded => recorded.Version is { } version ? RecordedPeers.Shorten(version) : "unknown");
        return string.Join(", ", versions.Distinct().Order(StringComparer.Ordinal));
    }
}
