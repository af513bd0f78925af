using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tarn.Lab.Tests;
using Tarn.Tests.Diagnostics.Sampling;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>The commands that ask a process, on a child that keeps known buffers.</summary>
public class AskTests
{
    private const int Kept = 5_000;
    private const int Size = 4_096;

    [Fact]
    public async Task A_dump_lists_the_pools_the_heaps_the_budgets_and_the_incidents()
    {
        using var folder = new TemporaryDirectory();
        using Process child = await StartAsync();
        try
        {
            ToolProcess json = await ToolProcess.RunAsync(folder.Path, "dump", Id(child), "--json");
            ToolProcess again = await ToolProcess.RunAsync(folder.Path, "dump", Id(child));

            Assert.True((json.ExitCode, again.ExitCode) == (0, 0), json.Error + again.Error);
            using JsonDocument state = JsonDocument.Parse(json.Output);
            Assert.Equal(child.Id, state.RootElement.GetProperty("process").GetInt32());
            JsonElement[] sources = [.. state.RootElement.GetProperty("sources").EnumerateArray()];
            foreach ((string name, string kind) in (ReadOnlySpan<(string, string)>)
                [("kept arrays", "array pool"), ("kept blocks", "native heap")])
            {
                JsonElement source = Assert.Single(sources, one => one.GetProperty("name").GetString() == name);
                Assert.Equal(kind, source.GetProperty("kind").GetString());
                Assert.Equal((long)Kept * Size, source.GetProperty("inUseBytes").GetInt64());
                Assert.Equal((Kept, 0), (source.GetProperty("rented").GetInt64(), source.GetProperty("returned").GetInt64()));
            }

            JsonElement budget = Assert.Single(
                state.RootElement.GetProperty("budgets").EnumerateArray(), one => one.GetProperty("name").GetString() == "kept budget");
            Assert.Equal("900 1000 1 0 0", string.Join(' ', budget.GetProperty("inUse"), budget.GetProperty("limit"),
                budget.GetProperty("waiting"), budget.GetProperty("refused"), budget.GetProperty("deadlocks")));
            Assert.True(budget.GetProperty("oldestWaitSeconds").GetDouble() > 0);
            Assert.Contains("kept budget", again.Output, StringComparison.Ordinal);
            JsonElement incident = Assert.Single(state.RootElement.GetProperty("incidents").EnumerateArray());
            Assert.Equal("DoubleReturn misused 1", string.Join(' ', incident.GetProperty("kind"), incident.GetProperty("source"),
                incident.GetProperty("count")));
            Assert.Contains("ReturnTwice", incident.GetProperty("returnedAt").GetString(), StringComparison.Ordinal);
            Assert.Contains("kept blocks", again.Output, StringComparison.Ordinal);
            Assert.Contains("1 × DoubleReturn of a buffer of misused", again.Output, StringComparison.Ordinal);
            Assert.Contains("ReturnTwice", again.Output, StringComparison.Ordinal);
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_recording_has_the_names_of_the_pools(bool isStarted)
    {
        Skip.IfNot(StressLength.IsLong, "each way records a program; the long form does it");
        using var folder = new TemporaryDirectory();
        using Process? child = isStarted ? null : await StartAsync();
        try
        {
            // Its standard input is a pipe, with whose end it ends. Each line keeps more.
            string[] program = ["sh", "-c", $"(sleep 3; echo; sleep 1) | dotnet '{Child.Assembly}' 'profiled program' 10"];
            Task<ToolProcess> recording = ToolProcess.RunAsync(
                folder.Path, ["record", "-o", "run.tarn", .. child is null ? ["--", .. program] : (string[])[Id(child), "--for", "3s"]]);
            while (child is not null && !recording.IsCompleted)
            {
                await child.StandardInput.WriteLineAsync();
                await child.StandardInput.FlushAsync();
                await Task.Delay(100);
            }

            _ = await recording;
            ToolProcess report = await ToolProcess.RunAsync(folder.Path, "report", "run.tarn", "--json", "-");

            Assert.True((await recording).ExitCode == 0, (await recording).Error);
            using JsonDocument json = JsonDocument.Parse(report.Output);
            Assert.Contains(
                "kept arrays", json.RootElement.GetProperty("pools").EnumerateArray().Select(pool => pool.GetProperty("name").GetString()));
        }
        finally
        {
            child?.Kill();
        }
    }

    [Fact]
    public async Task A_profile_of_a_process_that_samples_has_all_its_bytes()
    {
        using var folder = new TemporaryDirectory();
        using Process child = await StartAsync("sampled");
        try
        {
            ToolProcess run = await ToolProcess.RunAsync(folder.Path, "profile", Id(child), "-o", "first.pb.gz");

            Assert.True(run.ExitCode == 0, run.Error);
            AssertKept(Read(folder.File("first.pb.gz")), Kept);
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableFact]
    public async Task A_process_that_samples_nothing_samples_while_the_command_runs()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        using var folder = new TemporaryDirectory();
        using Process child = await StartAsync();
        try
        {
            ToolProcess before = await ToolProcess.RunAsync(folder.Path, "profile", Id(child));
            Task<ToolProcess> during = ToolProcess.RunAsync(
                folder.Path, "profile", Id(child), "--for", "3s", "--interval", "1024", "-o", "during.pb.gz");
            int turns = 0;
            for (; !during.IsCompleted; turns++)
            {
                await child.StandardInput.WriteLineAsync();
                await child.StandardInput.FlushAsync();
                Assert.Equal("kept", await child.StandardOutput.ReadLineAsync());
                await Task.Delay(100);
            }

            ToolProcess after = await ToolProcess.RunAsync(folder.Path, "profile", Id(child));

            Assert.True((await during).ExitCode == 0, (await during).Error);
            PprofReader profile = Read(folder.File("during.pb.gz"));
            Assert.InRange(profile.Sum("inuse_space", "kept arrays", "KeepArrays"), Kept * Size / 2, (long)Kept * Size * turns * 11 / 10);
            foreach (ToolProcess refused in (ReadOnlySpan<ToolProcess>)[before, after])
            {
                Assert.Equal(2, refused.ExitCode);
                Assert.Contains("nothing is sampled", refused.Error, StringComparison.Ordinal);
                Assert.Contains("--for 30s", refused.Error, StringComparison.Ordinal);
            }
        }
        finally
        {
            child.Kill();
        }
    }

    [Fact]
    public async Task A_process_without_the_library_does_not_answer()
    {
        using var folder = new TemporaryDirectory();
        using Process child = Process.Start(Child.Start("60", "100"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            ToolProcess run = await ToolProcess.RunAsync(folder.Path, "dump", Id(child), "--timeout", "1s");

            Assert.Equal(2, run.ExitCode);
            Assert.Contains("did not answer within 1 s", run.Error, StringComparison.Ordinal);
            Assert.Contains("tarn watch", run.Error, StringComparison.Ordinal);
        }
        finally
        {
            child.Kill();
        }
    }

    private static async Task<Process> StartAsync(params string[] options)
    {
        Process child = Process.Start(
            Child.StartScenario("profiled program", [Kept.ToString(CultureInfo.InvariantCulture), .. options]))!;
        Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
        return child;
    }

    private static string Id(Process process) => process.Id.ToString(CultureInfo.InvariantCulture);

    private static PprofReader Read(string path)
    {
        using FileStream file = File.OpenRead(path);
        return PprofReader.Read(file);
    }

    /// <summary>Rents that are each as large as the mean are sampled often enough for a twentieth.</summary>
    private static void AssertKept(PprofReader profile, int count)
    {
        long bytes = (long)count * Size;
        Assert.InRange(profile.Sum("inuse_space", "kept arrays", "ProfiledProgram.KeepArrays"), bytes * 9 / 10, bytes * 11 / 10);
        Assert.InRange(profile.Sum("inuse_space", "kept blocks", "ProfiledProgram.KeepBlocks"), bytes * 9 / 10, bytes * 11 / 10);
    }
}
