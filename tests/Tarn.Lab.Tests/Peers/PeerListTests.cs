using System.Globalization;
using Tarn.Lab.Claims;
using Tarn.Lab.Contenders;
using Tarn.Lab.Model;
using Tarn.Lab.Peers;
using Tarn.Lab.Report;
using Tarn.Lab.Tests.Claims;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Peers;

public class PeerListTests
{
    private const string Recyclable = "RecyclableMemoryStream";

    private static string InUse => PeerList.All.Single(peer => peer.Name == Recyclable).ReadVersion()!;

    [Fact]
    public void Every_peer_that_is_here_tells_its_version()
    {
        Assert.NotNull(InUse);
        Assert.All(
            PeerList.All.Where(static peer => peer.IsVersioned).Select(static peer => peer.ReadVersion()).OfType<string>(),
            static text => Assert.True(Version.TryParse(text.Split('-')[0], out _), text));
        Assert.All(PeerList.All.Where(static peer => peer.Package is not null && peer.ReadVersion() is not null), static peer =>
            Assert.Contains($"{peer.Name} {peer.ReadVersion()}", PeerList.Describe(), StringComparison.Ordinal));
    }

    [Fact]
    public void It_is_known_what_the_authors_of_each_peer_had_published_and_when()
    {
        Upstream upstream = Upstream.Read();
        Assert.Empty(upstream.Peers.Keys.Except(PeerList.All.Select(static peer => peer.Name)));
        Assert.All(
            PeerList.All.Where(static peer => !peer.Name.Contains("malloc", StringComparison.Ordinal) || peer.Package is not null),
            peer => Assert.NotEqual("", upstream.Peers[peer.Name].DateOf(peer.ReadVersion() ?? upstream.Peers[peer.Name].Newest)));
        Assert.All(upstream.Peers.Values, static peer => Assert.NotEqual("", peer.DateOf(peer.Newest)));
    }

    [Theory]
    [InlineData("Peers", "mimalloc 2.0.9, RecyclableMemoryStream 2.0.1, glibc malloc 2.36")]
    [InlineData("Stream peers", "Microsoft.IO.RecyclableMemoryStream 2.0.1.0, KZDev.PerfUtils 3.0.1.0")]
    public void A_run_of_another_version_of_a_peer_fails_the_check_and_names_both(string setting, string versions)
    {
        using var repository = new StatingRepository("0.55");
        File.AppendAllText(repository.Document, "Beside <!-- claim:version-recyclablememorystream -->2.0.1<!-- /claim -->.\n");
        Record(repository, "old", setting, versions);

        Assert.Equal(
            [$"lab/results/old: it measured RecyclableMemoryStream 2.0.1, and the lab has {InUse} now: record it again"],
            ClaimDocuments.Reconcile(repository.Root, write: false).Select(static problem => problem.Replace('\\', '/')));
    }

    [Fact]
    public void A_run_of_the_versions_in_use_is_not_stale_and_fills_them_in()
    {
        using var repository = new StatingRepository("0.55");
        File.AppendAllText(repository.Document, "Beside <!-- claim:version-recyclablememorystream -->0<!-- /claim -->.\n");
        Record(repository, "new", RecordedPeers.Setting, PeerList.Describe());

        Assert.Empty(ClaimDocuments.Reconcile(repository.Root, write: true));
        Assert.Contains($"-->{InUse}<!--", File.ReadAllText(repository.Document), StringComparison.Ordinal);
    }

    /// <summary>
    /// Whatever committed runs compare is ours, the runtime's or the system's, or belongs to a peer, whose version they record.
    /// </summary>
    [Fact]
    public void Every_contender_of_a_committed_run_belongs_to_a_peer_or_to_the_runtime()
    {
        string[] ofTheRuntime =
        [
            PoolNames.BclShared, PoolNames.BclVariable, PoolNames.BclCreated, PoolNames.BclMemoryPool, WriterNames.Bcl,
            NativeNames.TarnHeap, NativeNames.NewArray, "Anonymous pipe", "Buffer.MemoryCopy", "Channel, in one process",
            "Kestrel's own pool", "MemoryStream", "MemoryStream, size known", "SemaphoreSlim", "Span.Clear", "Span.CopyTo",
            "TCP on loopback", "Unix domain socket", "atomic count", "two copies",
        ];
        string results = Path.Combine(ClaimDocuments.FindRepositoryRoot(), "lab", "results");
        string[] compared =
        [
            .. Directory.GetFiles(results, "results.json", SearchOption.AllDirectories)
                .SelectMany(static file => ReportReader.Read(file).Comparisons).Select(static comparison => comparison.Peer).Distinct(),
        ];

        Assert.NotEmpty(compared);
        Assert.Empty(compared.Except(ofTheRuntime).Except(PeerList.All.SelectMany(static peer => peer.Contenders)));
    }

    [Fact]
    public void A_run_of_an_older_allocator_than_the_newest_fails_the_check()
    {
        using var repository = new StatingRepository("0.55");
        Record(repository, "old", RecordedPeers.Setting, "mimalloc 2.0.9", NativeNames.Mimalloc);

        Assert.Equal(
            [$"lab/results/old: it measured mimalloc 2.0.9, and {Upstream.Read().Peers["mimalloc"].Newest} is out: record it again"],
            ClaimDocuments.Reconcile(repository.Root, write: false).Select(static problem => problem.Replace('\\', '/')));
    }

    [Theory]
    [InlineData("2026-11-28", "lab/results/run: it measured DotNext in a version that it did not record: record it again")]
    [InlineData("2026-11-20", null)]
    public void A_run_that_does_not_record_the_version_of_a_peer_fails_the_check_unless_none_did_then(string day, string? problem)
    {
        using var repository = new StatingRepository("0.55");
        DateOnly made = DateOnly.Parse(day, CultureInfo.InvariantCulture);
        Record(repository, "run", RecordedPeers.Setting, "mimalloc 2.0.9", WriterNames.DotNext, made);

        Assert.Equal(
            problem is null ? [] : [problem],
            ClaimDocuments.Reconcile(repository.Root, write: false).Select(static found => found.Replace('\\', '/')));
    }

    [Fact]
    public void Of_two_processors_the_worse_figure_is_stated()
    {
        using var repository = new StatingRepository("0.58");
        ClaimFile first = ClaimFile.Read(repository.ClaimsFile);
        ClaimResult worse = first.Claims[0] with { Figure = "0.58", Value = 0.58 };
        (first with { Claims = [worse] }).WriteTo(Path.Combine(repository.Root, "lab", "results", "other"));
        File.WriteAllText(repository.Document, StatingRepository.Stating("0.58"));

        Assert.Empty(ClaimDocuments.Reconcile(repository.Root, write: false));
    }

    private static void Record(
        StatingRepository repository, string name, string setting, string versions, string peer = Recyclable, DateOnly? day = null)
    {
        LabReport empty = SampleReport.Empty();
        Comparison comparison = SampleReport.Compare("one", 0.5) with { Peer = peer };
        LabReport report = empty with
        {
            Run = empty.Run with
            {
                Settings = new Dictionary<string, string> { [setting] = versions },
                StartedAt = day is { } date ? new DateTimeOffset(date, TimeOnly.MinValue, TimeSpan.Zero) : empty.Run.StartedAt,
            },
            Comparisons = [comparison],
        };
        ReportWriter.WriteAll(report, Path.Combine(repository.Root, "lab", "results", name));
    }
}
