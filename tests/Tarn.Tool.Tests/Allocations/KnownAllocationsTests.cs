using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Allocations;
using Tarn.Tool.Reports;
using Tarn.Tool.Tests.Commands;
using Tarn.Tool.Tests.Recording;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Allocations;

/// <summary>A program that allocates known bytes at known places, which the candidates must name, rank and estimate.</summary>
public class KnownAllocationsTests
{
    /// <summary>How many of its errors an estimate may be off: five in a million are farther.</summary>
    private const double Errors = 2.5;

    private static readonly Dictionary<string, AllocationMeans> s_means = new()
    {
        ["MakeLarge"] = AllocationMeans.NewArray,
        ["MakeArrays"] = AllocationMeans.NewArray,
        ["CopyStream"] = AllocationMeans.Copy,
        ["GrowList"] = AllocationMeans.CollectionGrowth,
        ["Encode"] = AllocationMeans.Encoding,
        ["MakeSmall"] = AllocationMeans.NewArray,
        ["GrowStream"] = AllocationMeans.MemoryStreamGrowth,
    };

    [SkippableFact]
    public async Task Places_are_ranked_by_their_bytes_within_the_error_and_each_has_its_means()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        (CandidateReport report, IReadOnlyList<(string Site, long Bytes)> known) = await RunAsync();

        foreach ((string site, long bytes) in known)
        {
            Candidate[] found = [.. report.Candidates.Where(one => one.Site.Contains(site, StringComparison.Ordinal))];
            Assert.NotEmpty(found);
            Assert.Equal(s_means[site], found[0].Means);
            double error = Errors * Math.Sqrt(found.Sum(one => one.ErrorBytes!.Value * one.ErrorBytes.Value));
            double estimate = found.Sum(one => one.Bytes);
            Assert.True(
                Math.Abs(estimate - bytes) <= error + (bytes * 0.01),
                $"{site}: {bytes:N0} bytes, and the estimate is {estimate:N0} ± {error:N0}.");
        }

        string[] worth = [.. report.Candidates.Where(one => one.IsWorthIt).Select(one => one.Site.Split(" in ")[0].Split('.')[^1])];
        Assert.Equal(["MakeLarge", "MakeArrays"], worth[..2]);
        Assert.DoesNotContain("MakeSmall", worth);
        AssertCollectionsAreShared(report);
        Assert.Contains(report.Candidates, one => one is { Rule: "TARN101", Means: AllocationMeans.MemoryStreamGrowth });
    }

    [SkippableFact]
    public async Task Where_nothing_is_worth_a_pool_the_verdict_says_so()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        (CandidateReport report, _) = await RunAsync("little");

        Assert.StartsWith("Nothing is worth pooling: ", report.Verdict, StringComparison.Ordinal);
        Assert.EndsWith("arrays of 64 B, which cost less to allocate than to rent.", report.Verdict, StringComparison.Ordinal);
        Assert.DoesNotContain(report.Candidates, one => one.IsWorthIt);
    }

    /// <summary>
    /// What is sampled in windows stands for the rest of the time too: parts as exactly as their errors, and the whole as far as the
    /// program works alike, so its rate is that of some turn, which the machine may have slowed down. The recording lasts as long as the
    /// program, which a slow machine may take minutes for.
    /// </summary>
    [SkippableFact]
    public async Task A_running_program_that_allocates_much_is_sampled_in_windows()
    {
        Skip.IfNot(StressLength.IsLong, "the program allocates a hundred gigabytes; the long form has it do so");
        using var folder = new TemporaryDirectory();
        using Process child = Process.Start(Child.StartScenario("known allocations", "long"))!;
        await Task.Delay(1_000);
        string id = child.Id.ToString(CultureInfo.InvariantCulture);
        Task<ToolProcess> running = ToolProcess.RunAsync(folder.Path, TimeSpan.FromMinutes(14), "candidates", id, "--json", "--for", "13m");
        (string Site, long Bytes)[] told = ReadKnown(await child.StandardOutput.ReadToEndAsync());
        (string Site, long Bytes)[] known = [.. told.Where(one => s_means.ContainsKey(one.Site))];

        ToolProcess run = await running;
        Assert.True(run.ExitCode == 0, run.Error);
        CandidateReport report = JsonText.Read<CandidateReport>(run.Output);
        Assert.Contains(report.Unknown, one => one.Contains("takes at most a fiftieth of its time", StringComparison.Ordinal));
        Assert.InRange(report.Samples, 20_000, known.Sum(one => one.Bytes) / AllocationRecording.Interval / 2);
        double all = known.Sum(one => one.Bytes);
        Assert.InRange(
            report.Bytes / report.Seconds,
            told.Single(one => one.Site == "SlowestBytesPerSecond").Bytes, told.Single(one => one.Site == "FastestBytesPerSecond").Bytes);
        foreach ((string site, long bytes) in known)
        {
            Candidate[] found = [.. report.Candidates.Where(one => one.Site.Contains(site, StringComparison.Ordinal))];
            double error = Errors * Math.Sqrt(found.Sum(one => one.ErrorBytes!.Value * one.ErrorBytes.Value)) / report.Bytes;
            Assert.InRange(found.Sum(one => one.Bytes) / report.Bytes, (bytes / all) - error - 0.01, (bytes / all) + error + 0.01);
        }
    }

    /// <summary>
    /// Places that make no large objects share the collections in proportion to their bytes, and all together avoid no more than there
    /// were. Whether large objects cause most of them or small ones depends on the machine's caches.
    /// </summary>
    private static void AssertCollectionsAreShared(CandidateReport report)
    {
        Candidate[] small = [.. report.Candidates.Where(one => one.LargeBytes == 0)];
        double each = small.Sum(one => one.CollectionsAvoided) / small.Sum(one => one.Bytes);
        Assert.All(small, one => Assert.Equal(one.Bytes * each, one.CollectionsAvoided, 1e-6));
        Assert.InRange(report.Candidates.Sum(one => one.CollectionsAvoided), 1, report.Collections + 1);
    }

    private static async Task<(CandidateReport Report, IReadOnlyList<(string Site, long Bytes)> Known)> RunAsync(params string[] arguments)
    {
        using var folder = new TemporaryDirectory();
        ToolProcess run = await ToolProcess.RunAsync(
            folder.Path, ["candidates", "--json", "--", "dotnet", Child.Assembly, "known allocations", .. arguments]);

        Assert.True(run.ExitCode == 0, run.Error);
        int json = run.Output.IndexOf('{', StringComparison.Ordinal);
        return (JsonText.Read<CandidateReport>(run.Output[json..]), ReadKnown(run.Output[..json]));
    }

    private static (string Site, long Bytes)[] ReadKnown(string output) =>
    [
        .. output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split(' '))
            .Select(fields => (fields[0], long.Parse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture))),
    ];
}
