using System.Diagnostics;
using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Tool.Advice;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>A child process with known faults among a hundred thousand faultless pairs a second on four threads.</summary>
public class PlantedFaultsTests
{
    private const string PairsPerSecond = "100000";
    private static readonly RecordingOptions s_options = new() { Detail = RecordingDetail.Stacks, MostEvents = BufferTrace.MostEvents };

    [SkippableFact]
    public async Task Every_planted_fault_is_found_at_its_line_and_nothing_else()
    {
        Skip.IfNot(StressLength.IsLong, "a test of the commands finds two of them in the short form; the long form has all");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        ProcessStartInfo start = Child.Start("1.5", PairsPerSecond, "lose", "twice", "hold");

        ProgramRecording recording = await ProgramRecorder.RunAsync(start, processes: null, s_options);
        Findings findings = TraceAnalysis.Of(Assert.Single(recording.Traces));

        Assert.Equal(0, recording.ExitCode);
        Assert.Equal(0, findings.LostEvents);
        Assert.InRange(findings.Rented, 150_000, long.MaxValue);
        LostSite lost = Assert.Single(findings.Lost, site => site.Certainty == Certainty.Likely);
        AssertAt("loses", lost.Site);
        // It loses every third; those of the last tenth of the recording are too young to judge. Calls that the compiler moved may have
        // another line, and so another site.
        int rented = findings.Held
            .Where(site => site.Site.Frames[0].Method.EndsWith(".Lose", StringComparison.Ordinal)).Sum(site => site.Rented);
        Assert.InRange(lost.Buffers, rented / 3 * 7 / 10, (rented + 2) / 3);
        Assert.Equal(4_096L * lost.Buffers, lost.Bytes);
        ReturnedTwiceSite twice = Assert.Single(findings.ReturnedTwice);
        Assert.Equal(Certainty.Likely, twice.Certainty);
        AssertAt("returns again", twice.Site);
        AssertAt("returns first", twice.First);
        AssertAt("holds", findings.Held[0].Site);
        Assert.Equal(3, findings.Held[0].Returned);
        Assert.InRange(findings.Held[0].LongestMicroseconds, 1_400_000, long.MaxValue);
    }

    [SkippableFact]
    public async Task A_rent_that_the_compiler_inlined_is_found_at_its_own_line()
    {
        Skip.IfNot(StressLength.IsLong, "one recording is enough for the short form; the long form has both");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        ProgramRecording recording = await ProgramRecorder.RunAsync(Child.Start("1.5", "1000", "inlined"), processes: null, s_options);
        Findings findings = TraceAnalysis.Of(Assert.Single(recording.Traces));

        LostSite lost = Assert.Single(findings.Lost, site => site.Certainty == Certainty.Likely);
        AssertAt("loses inlined", lost.Site);
        Assert.EndsWith(".RentInlined", lost.Site.Frames[0].Method, StringComparison.Ordinal);
        Assert.EndsWith(".LoseInlined", lost.Site.Frames[1].Method, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task Streams_that_are_never_disposed_are_found_at_their_line()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "it differs from the others in the pool alone; the long form does it");
        ProgramRecording recording = await ProgramRecorder.RunAsync(Child.Start("1.5", "1000", "streams"), processes: null, s_options);
        Findings findings = TraceAnalysis.Of(Assert.Single(recording.Traces));

        LostSite lost = Assert.Single(findings.Lost, site => site.Certainty == Certainty.Likely);
        AssertAt("loses a stream", lost.Site);
        PoolUse streams = Assert.Single(findings.Pools, pool => pool.IsOfStreams);
        Assert.Equal("RecyclableMemoryStream", streams.Name);
        Assert.InRange(streams.Rented - streams.Returned, lost.Buffers, streams.Rented / 3 + 1);
        Assert.InRange(streams.Allocated, 1, streams.Rented);
        Assert.Empty(findings.ReturnedTwice);
        Assert.DoesNotContain(Adviser.Compare(recording.Traces[0], findings, processors: 2), one => one.Pool.IsOfStreams);
    }

    [SkippableFact]
    public async Task A_program_without_faults_has_none_when_it_is_attached_to_in_the_middle()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        using Process process = Process.Start(Child.Start("60", PairsPerSecond))!;
        Assert.Equal("ready", await process.StandardOutput.ReadLineAsync());
        await Task.Delay(300);

        Findings findings = TraceAnalysis.Of(TraceRecorder.Attach(
            process.Id, s_options with { LongestTime = TimeSpan.FromSeconds(1) }));

        Assert.False(process.HasExited);
        process.Kill();
        Assert.Equal(0, findings.LostEvents);
        Assert.InRange(findings.Rented, 1_000, long.MaxValue);
        Assert.Empty(findings.Lost);
        Assert.Empty(findings.ReturnedTwice);
        Assert.Empty(findings.NeverRented);
        Assert.Contains(findings.Threading, flow => flow.RentingThread != flow.ReturningThread);
    }

    private static void AssertAt(string mark, CallSite site)
    {
        Assert.EndsWith("PlantedFaults.cs", site.Frames[0].File, StringComparison.Ordinal);
        Assert.Equal(Child.LineOf(mark).ToString(CultureInfo.InvariantCulture), site.Frames[0].Line.ToString(CultureInfo.InvariantCulture));
        Assert.StartsWith("Tarn.TestChild.PlantedFaults.", site.Frames[0].Method, StringComparison.Ordinal);
        Assert.Contains(site.Frames, frame => frame.Method == "Tarn.TestChild.Program.Main");
    }
}
