using System.Diagnostics;
using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Tool.Allocations;
using Tarn.Tool.Memory;
using Tarn.Tool.Reports;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Programs;

/// <summary><c>tarn memory</c> and <c>tarn candidates</c> of programs that have nothing of Tarn in them.</summary>
public class MemoryOfProgramsTests
{
    private const string Wrk = "/usr/bin/wrk";

    private const string Server =
        """
        var builder = WebApplication.CreateBuilder(args);
        builder.Logging.ClearProviders();
        WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        app.MapGet("/report", () =>
        {
            using var stream = new MemoryStream();
            for (int row = 0; row < 2_000; row++)
            {
                stream.Write("a row of the report, as text; "u8); // grows
            }

            return Results.Bytes(stream.ToArray(), "text/plain");
        });
        await app.StartAsync();
        Console.WriteLine(app.Urls.First());
        await app.WaitForShutdownAsync();
        """;

    /// <summary>It allocates in .NET 8 as well, and its large array keeps the collector's part of a known size.</summary>
    private const string Old =
        """
        byte[] kept = new byte[100 << 20];
        Array.Fill(kept, (byte)1);
        GC.Collect();
        Console.WriteLine("ready");
        Console.ReadLine();
        var clock = System.Diagnostics.Stopwatch.StartNew();
        object? last = null;
        while (clock.Elapsed < TimeSpan.FromMinutes(2))
        {
            last = new byte[40_000];
            Thread.Sleep(1);
        }

        GC.KeepAlive(kept);
        GC.KeepAlive(last);
        """;

    [SkippableFact]
    public async Task A_web_server_under_load_adds_up_and_its_streams_are_worth_pooling()
    {
        Skip.IfNot(File.Exists(Wrk), "wrk is not installed here");
        Skip.IfNot(StressLength.IsLong, "it puts a server under load; the long form does it");
        using var program = new WrittenProgram(
            "Microsoft.NET.Sdk.Web", "<TargetFramework>net10.0</TargetFramework><UseAppHost>false</UseAppHost>", "", Server);
        program.Build();
        using Process server = Start(program.Folder, "dotnet", program.Assembly);
        try
        {
            string address = await server.StandardOutput.ReadLineAsync() ?? "";
            using Process load = Start(program.Folder, Wrk, "-t", "1", "-c", "4", "-d", "12s", "--timeout", "30s", $"{address}/report");
            await Task.Delay(1_000);
            ToolProcess candidates = await ToolProcess.RunAsync(program.Folder, "candidates", Id(server), "--for", "3s", "--json");
            ToolProcess memory = await ToolProcess.RunAsync(program.Folder, "memory", Id(server), "--json");

            Assert.True((candidates.ExitCode, memory.ExitCode) == (0, 0), candidates.Error + memory.Error);
            CandidateReport report = JsonText.Read<CandidateReport>(candidates.Output);
            Candidate stream = Assert.Single(
                report.Candidates, one => one is { IsWorthIt: true, Means: AllocationMeans.MemoryStreamGrowth });
            Assert.Equal("TARN101", stream.Rule);
            Assert.Contains($"Program.cs:{program.LineOf("grows")}", stream.Site, StringComparison.Ordinal);
            Assert.InRange(stream.CollectionsAvoided, 1, report.Collections);
            MemorySnapshot snapshot = JsonText.Read<MemorySnapshot>(memory.Output);
            Assert.Equal(snapshot.ResidentBytes, snapshot.Groups.Sum(group => group.ResidentBytes));
            Assert.NotEmpty(snapshot.Collector!.Generations);
            Assert.InRange(snapshot.Group(MemoryGroupKind.Unnamed).ResidentBytes, 0, snapshot.ResidentBytes / 20);
        }
        finally
        {
            server.Kill();
        }
    }

    [SkippableTheory]
    [InlineData(8)]
    [InlineData(9)]
    public async Task A_program_of_an_older_runtime_in_a_single_file_is_told_as_far_as_it_tells(int version)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells of each mapping what it is for");
        Skip.IfNot(StressLength.IsLong, "each takes a publication; the long form does it");
        using var program = new WrittenProgram(
            "Microsoft.NET.Sdk",
            $"<TargetFramework>net{version}.0</TargetFramework><SelfContained>true</SelfContained>"
                + "<PublishSingleFile>true</PublishSingleFile><UseCurrentRuntimeIdentifier>true</UseCurrentRuntimeIdentifier>",
            "",
            Old);
        program.Publish("single");
        using Process old = Start(program.Folder, Path.Combine(program.Folder, "single", "App"));
        try
        {
            Assert.Equal("ready", await old.StandardOutput.ReadLineAsync());
            ToolProcess memory = await ToolProcess.RunAsync(program.Folder, "memory", Id(old), "--json");
            await old.StandardInput.WriteLineAsync("allocate");
            ToolProcess candidates = await ToolProcess.RunAsync(program.Folder, "candidates", Id(old), "--for", "2s", "--json");
            ToolProcess profile = await ToolProcess.RunAsync(program.Folder, "profile", Id(old));

            Assert.True((memory.ExitCode, candidates.ExitCode, profile.ExitCode) == (0, 0, 2), memory.Error + candidates.Error);
            MemorySnapshot snapshot = JsonText.Read<MemorySnapshot>(memory.Output);
            Assert.StartsWith($".NET {version}.", snapshot.Runtime, StringComparison.Ordinal);
            Assert.InRange(snapshot.Group(MemoryGroupKind.GcHeap).ResidentBytes, 100L << 20, 120L << 20);
            Assert.Equal(version < 9, snapshot.Unknown.Any(one => one.Contains("from .NET 9 on", StringComparison.Ordinal)));
            Assert.Equal(version >= 9, snapshot.Collector!.Generations.Any(one => one.HoleBytes is not null));
            CandidateReport report = JsonText.Read<CandidateReport>(candidates.Output);
            Assert.Equal("byte[]", report.Candidates[0].Type);
            Assert.Null(report.ErrorBytes);
            Assert.Contains(report.Unknown, one => one.Contains("From .NET 10 on, it samples evenly", StringComparison.Ordinal));
            Assert.Contains("from .NET 10 on", profile.Error, StringComparison.Ordinal);
        }
        finally
        {
            old.Kill();
        }
    }

    private static string Id(Process process) => process.Id.ToString(CultureInfo.InvariantCulture);

    private static Process Start(string folder, string program, params string[] arguments) =>
        Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;
}
