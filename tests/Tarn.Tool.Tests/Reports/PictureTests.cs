using System.Text.RegularExpressions;
using Microsoft.Playwright;
using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Lab.Tests.Report;
using Tarn.Tool.Allocations;
using Tarn.Tool.Analysis;
using Tarn.Tool.Memory;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;
using Tarn.Tool.Rings;
using Tarn.Tool.Tests.Memory;
using Tarn.Tool.Tests.Rings;
using Tarn.Tool.Watching;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Reports;

/// <summary>The pictures of docs/tool.md, which the code that draws for users draws.</summary>
public partial class PictureTests(PictureTests.Pages chromium) : IClassFixture<PictureTests.Pages>
{
    /// <summary>Set, it has the tests write the pictures.</summary>
    private const string WriteVariable = "TARN_WRITE_PICTURES";

    private const int TerminalWidth = 110;
    private const string Report = "report.html";
    private const string Watch = "watch.html";
    private const string Memory = "memory.html";
    private const string Candidates = "candidates.html";
    private const string Rings = "rings.html";

    [SkippableTheory]
    [InlineData("tool-report.png", Report, "lost", 1280, 900)]
    [InlineData("tool-watch.png", Watch, "rents/s", 1060, 390)]
    [InlineData("tool-memory.png", Memory, "MALLOC_ARENA_MAX", 1000, 800)]
    [InlineData("tool-candidates.png", Candidates, "TARN101", 1000, 480)]
    [InlineData("tool-rings.png", Rings, "thumbnails", 1000, 330)]
    public async Task Each_picture_shows_what_the_tool_draws_and_the_document_shows_it(
        string name, string page, string expected, int width, int height)
    {
        await using OpenedPage opened = await chromium.OpenAsync(width, file: page, unfolded: false);
        Assert.Contains(expected, await opened.Page.InnerTextAsync("body"), StringComparison.Ordinal);
        byte[] picture = await opened.Page.ScreenshotAsync(new() { Clip = new() { X = 0, Y = 0, Width = width, Height = height } });

        string path = Path.Combine(Recording.Child.Root, "docs", "pictures", name);
        if (Environment.GetEnvironmentVariable(WriteVariable) is not null)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await File.WriteAllBytesAsync(path, picture);
        }

        Assert.True(File.Exists(path), $"{path} is missing: run these tests with {WriteVariable}=1.");
        Assert.Contains($"(pictures/{name})", await File.ReadAllTextAsync(Path.Combine(Recording.Child.Root, "docs", "tool.md")),
            StringComparison.Ordinal);
    }

    /// <summary>The view of <c>tarn watch</c> as a page.</summary>
    private static string DrawWatch()
    {
        var view = new WatchView(new DotnetProcess(4711, "Shop.Api", ".NET 10.0.1", "", []));
        var random = new Random(3);
        WatchSample sample = Sample(random);
        for (int second = 0; second < 40; second++)
        {
            _ = view.Draw(sample, countsRents: true);
            sample = Sample(random);
        }

        return DrawTerminal("tarn watch", view.Draw(sample, countsRents: true));
    }

    /// <summary>A view of a terminal as a page.</summary>
    private static string DrawTerminal(string title, IRenderable view)
    {
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(TextWriter.Null) });
        console.Profile.Width = TerminalWidth;
        console.Profile.Capabilities.Unicode = true;
        using Recorder recorder = console.CreateRecorder();
        recorder.Write(view);
        return $$"""
            <!doctype html><meta charset="utf-8"><title>{{title}}</title>
            <style>body { background: #11181a; color: #e3e9e8; margin: 0; padding: 22px 26px; }
            pre { font-size: 14px; line-height: 1.35; }</style>
            {{TextPattern().Replace(recorder.ExportHtml(), "&lt;")}}
            """;
    }

    private static CandidateReport Found()
    {
        AllocationRecording recording = new()
        {
            ProcessId = 4711,
            Facts = new ProcessFacts("", "Shop.Api", ".NET 10.0.1"),
            At = DateTimeOffset.UnixEpoch,
            Duration = TimeSpan.FromSeconds(30),
            Sampled = TimeSpan.FromSeconds(30),
            Windows = 1,
            IsRandom = true,
            Types = ["System.Byte[]", "System.Char[]", "System.String"],
            Stacks = new StackTable(
                [
                    new("Shop.Program.Main", "Shop.Api", "/src/Program.cs", 14),
                    new("Shop.Orders.Export", "Shop.Api", "/src/Orders.cs", 88),
                    new("System.IO.MemoryStream.Write", "System.Private.CoreLib"),
                    new("System.IO.MemoryStream.Capacity.set", "System.Private.CoreLib"),
                    new("Shop.Thumbnails.Read", "Shop.Api", "/src/Thumbnails.cs", 41),
                    new("Shop.Feed.Build", "Shop.Api", "/src/Feed.cs", 120),
                ],
                [new(0, 0), new(1, 1), new(2, 2), new(3, 3), new(1, 4), new(1, 5)]),
            Samples =
            [
                .. Enumerable.Range(0, 4_000).Select(at => Sample(0, 1 << (17 + (at % 3)), 4)),
                .. Enumerable.Range(0, 9_000).Select(_ => Sample(0, 65_560, 5)),
                .. Enumerable.Range(0, 2_600).Select(_ => Sample(1, 8_024, 6)),
                .. Enumerable.Range(0, 5_000).Select(_ => Sample(2, 120, 6)),
            ],
            Collections = [.. Enumerable.Range(0, 61).Select(at => new RecordedCollection(at % 8 == 0 ? 2 : 0, at % 8 == 0, true))],
            Fates = null,
            HasCollected = false,
            LostEvents = 0,
            Cut = RecordingCut.None,
        };
        return CandidateAnalysis.Of(recording, new SourceTree("/"));

        static AllocationSample Sample(int type, long bytes, int stack)
        {
            double chance = 1 - Math.Exp(-(double)bytes / AllocationRecording.Interval);
            return new(type, bytes, bytes > 85_000, stack, 1 / chance, bytes * bytes * (1 - chance) / (chance * chance));
        }
    }

    private static WatchSample Sample(Random random)
    {
        PoolCounts bytes = new(182_000 + random.Next(9_000), 181_000 + random.Next(9_000), 40 + random.Next(90), 700_000, 12, 90_000, 3);
        PoolCounts chars = new(21_000 + random.Next(900), 21_000 + random.Next(900), random.Next(9), 9_000, 0, 0, 0);
        return new WatchSample
        {
            At = DateTimeOffset.UnixEpoch,
            Seconds = 1,
            HasRents = true,
            Pools = [("ArrayPool 01f3a2c9", bytes), ("ArrayPool 02bb8e07", chars)],
            Total = bytes + chars,
            Sizes = [(8, 41_000), (10, 96_000), (12, 230_000), (14, 61_000), (16, 9_300)],
            HeapBytes = (64L << 20) + random.Next(30 << 20),
            Meter = [],
        };
    }

    /// <summary>The export leaves what looks like a tag in a text as it is.</summary>
    [GeneratedRegex("<(?!/?(?:pre|span|br))")]
    private static partial Regex TextPattern();

    /// <summary>The pages that the pictures show.</summary>
    public sealed class Pages : SystemChromium
    {
        protected override async Task WritePagesAsync(string directory)
        {
            await File.WriteAllTextAsync(Path.Combine(directory, Report), HtmlReport.Write(TraceAnalysis.Of(SampleRecording.Build())));
            await File.WriteAllTextAsync(Path.Combine(directory, Watch), DrawWatch());
            await File.WriteAllTextAsync(
                Path.Combine(directory, Memory),
                DrawTerminal(
                    "tarn memory", new MemoryView(TerminalWidth, hasColors: true).Draw(SampleSnapshot.Build(), [], withAdvice: true)));
            await File.WriteAllTextAsync(
                Path.Combine(directory, Candidates), DrawTerminal("tarn candidates", new CandidateView(TerminalWidth).Draw(Found())));
            await File.WriteAllTextAsync(
                Path.Combine(directory, Rings), DrawTerminal("tarn rings", new RingsView(TerminalWidth).Draw(SampleRings.Build())));
        }
    }
}
