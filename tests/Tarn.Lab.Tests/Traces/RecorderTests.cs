using System.Diagnostics;
using Tarn.Lab.Recording;
using Tarn.Traces;

namespace Tarn.Lab.Tests.Traces;

/// <summary>The recorder on a process whose rents are known.</summary>
public class RecorderTests
{
    private const int Rounds = 200;
    private static readonly int[] s_lengths = [128, 8_192, 131_072];

    [SkippableFact]
    public async Task A_program_is_recorded_from_its_first_rent_to_its_last()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");

        ProgramRecording recording = await ProgramRecorder.RunAsync(Start($"{Rounds}"), processes: null, new RecordingOptions());

        BufferTrace trace = Assert.Single(recording.Traces);
        Assert.Equal(0, recording.ExitCode);
        Assert.Empty(recording.Failures);
        Assert.Null(trace.Details);
        Assert.Equal((0, 0), (trace.Origin.LostEvents, trace.Origin.UnmatchedReturns));
        Assert.Equal("started", trace.Origin.How);
        Assert.Equal("tarn-scenarios", trace.Origin.Program);
        Assert.StartsWith(".NET 10.", trace.Origin.Runtime, StringComparison.Ordinal);
        BufferEvent[] events = trace.Events.ToArray();
        BufferEvent kept = Assert.Single(
            events, one => one.IsRent && one.Length == 524_288 && !events.Any(other => other.Rent == Array.IndexOf(events, one)));
        AssertRounds(events, kept.Pool);
    }

    [Fact]
    public async Task A_running_process_is_recorded_from_then_on_and_earlier_rents_are_counted()
    {
        ProcessStartInfo start = Start($"{Rounds}", "wait");
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        using Process process = Process.Start(start)!;
        Assert.Equal("ready", await process.StandardOutput.ReadLineAsync());

        TaskCompletionSource started = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<BufferTrace> recording = Task.Run(
            () => TraceRecorder.Record(process.Id, new RecordingOptions(), "attached", started.SetResult, CancellationToken.None));

        // Or the recording has failed, which it tells below.
        await Task.WhenAny(started.Task, recording);
        await process.StandardInput.WriteLineAsync();
        BufferTrace trace = await recording;

        Assert.Equal((0, 1), (trace.Origin.LostEvents, trace.Origin.UnmatchedReturns));
        Assert.Equal("attached", trace.Origin.How);
        Assert.Contains($"tarn-scenarios.dll rent {Rounds} wait", trace.Origin.Command, StringComparison.Ordinal);
        BufferEvent[] events = trace.Events.ToArray();
        AssertRounds(events, events.First(one => one.Length == s_lengths[2]).Pool);
    }

    [Fact]
    public async Task A_recording_ends_when_it_has_enough_events_and_the_process_continues()
    {
        ProcessStartInfo start = Start("100000", "wait");
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        using Process process = Process.Start(start)!;
        try
        {
            Assert.Equal("ready", await process.StandardOutput.ReadLineAsync());
            await process.StandardInput.WriteLineAsync();

            BufferTrace trace =
                TraceRecorder.Attach(process.Id, new RecordingOptions { MostEvents = 500, LongestTime = TimeSpan.FromMinutes(1) });

            Assert.Equal(500, trace.Events.Length);
            Assert.False(process.HasExited);
        }
        finally
        {
            process.Kill();
        }
    }

    [Fact]
    public void A_missing_process_is_named()
    {
        var exception = Assert.Throws<RecordingException>(() => TraceRecorder.Attach(int.MaxValue, new RecordingOptions()));

        Assert.StartsWith($"Process {int.MaxValue} cannot be recorded: ", exception.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task Processes_that_are_not_asked_for_run_unrecorded()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");

        Assert.Empty((await ProgramRecorder.RunAsync(Start("10"), processes: "another program", new RecordingOptions())).Traces);
    }

    [Fact]
    public async Task A_program_that_cannot_be_started_is_named()
    {
        Task Run() => ProgramRecorder.RunAsync(new ProcessStartInfo("/nowhere/nothing"), processes: null, new RecordingOptions());

        if (!OperatingSystem.IsWindows())
        {
            Assert.StartsWith(
                "/nowhere/nothing cannot be started: ",
                (await Assert.ThrowsAsync<RecordingException>(Run)).Message,
                StringComparison.Ordinal);
        }
    }

    /// <summary>The rounds, in order: rented on one thread, returned on another in the same order.</summary>
    private static void AssertRounds(BufferEvent[] events, int pool)
    {
        (BufferEvent Event, int Index)[] rents =
        [
            .. events.Select((one, index) => (Event: one, Index: index)).Where(
                one => one.Event.IsRent && one.Event.Pool == pool && s_lengths.Contains(one.Event.Length)),
        ];
        Assert.Equal(Enumerable.Repeat(s_lengths, Rounds).SelectMany(lengths => lengths), rents.Select(rent => rent.Event.Length));
        Assert.All(rents, rent =>
        {
            BufferEvent back = Assert.Single(events, one => one.Rent == rent.Index);
            Assert.NotEqual(rent.Event.Thread, back.Thread);
        });
    }

    private static ProcessStartInfo Start(params string[] arguments) =>
        new("dotnet", [ScenarioProcess.FindProgram(), "rent", .. arguments]);
}
