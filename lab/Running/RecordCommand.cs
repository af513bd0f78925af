using System.CommandLine;
using System.Diagnostics;
using Tarn.Lab.Measurement;
using Tarn.Lab.Recording;
using Tarn.Traces;

namespace Tarn.Lab.Running;

/// <summary><c>record</c>: records the rents of a running process, a started program, or a scenario of the lab.</summary>
internal static class RecordCommand
{
    private static readonly RecordingOptions s_defaults = new();

    private static readonly Option<int?> s_process = new("--pid") { Description = "Record this .NET process.", HelpName = "ID" };

    private static readonly Option<string?> s_scenario = new("--scenario")
    {
        Description = $"Record a program of the lab under its load: {string.Join(", ", ScenarioProcess.Names)}.",
        HelpName = "NAME",
    };

    private static readonly Option<string?> s_only = new("--process")
    {
        Description = "With a program to be started: record only processes whose command line contains this.",
        HelpName = "TEXT",
    };

    private static readonly Option<FileInfo?> s_to = new("--to")
    {
        Description = "The file to write; by default NAME.trace in the current folder.",
        HelpName = "FILE",
    };

    private static readonly Option<int> s_events = new("--events")
    {
        Description = "End after this many rents and returns.",
        DefaultValueFactory = _ => s_defaults.MostEvents,
    };

    private static readonly Option<double> s_seconds = new("--seconds")
    {
        Description = "End after this time.",
        DefaultValueFactory = _ => s_defaults.LongestTime!.Value.TotalSeconds,
    };

    private static readonly Argument<string[]> s_program = new("program")
    {
        Description = "After --: a program and its arguments, recorded from its first instruction, with the .NET processes it starts.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    public static Command Create()
    {
        var command = new Command(
            "record", "Records what a .NET program rents from its array pools in a trace that the experiment traces can replay.");
        command.Options.Add(s_process);
        command.Options.Add(s_scenario);
        command.Options.Add(s_only);
        command.Options.Add(s_to);
        command.Options.Add(s_events);
        command.Options.Add(s_seconds);
        command.Arguments.Add(s_program);
        command.SetAction(result => LabCommand.Guarded(() => Run(result)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        int? process = line.GetValue(s_process);
        string? scenario = line.GetValue(s_scenario);
        string[] program = line.GetValue(s_program) ?? [];
        int sources = (process is null ? 0 : 1) + (scenario is null ? 0 : 1) + (program.Length == 0 ? 0 : 1);
        int events = line.GetValue(s_events);
        double seconds = line.GetValue(s_seconds);
        if (sources != 1)
        {
            throw new InvalidDataException("Name one thing to record: --pid ID, --scenario NAME, or -- and a program.");
        }

        if (scenario is not null && !ScenarioProcess.Names.Contains(scenario))
        {
            throw new InvalidDataException($"No such scenario: {scenario}. There are: {string.Join(", ", ScenarioProcess.Names)}.");
        }

        if (events is < 1 or > BufferTrace.MostEvents || seconds is not (> 0 and <= 3_600))
        {
            throw new InvalidDataException($"--events is 1 to {BufferTrace.MostEvents}, --seconds more than 0 and at most 3,600.");
        }

        using OutputFile? asked = line.GetValue(s_to) is { } to ? OutputFile.Open(to.FullName) : null;
        var options = new RecordingOptions { MostEvents = events, LongestTime = TimeSpan.FromSeconds(seconds) };
        BufferTrace trace = (process, scenario) switch
        {
            ({ } id, _) => TraceRecorder.Attach(id, options),
            (_, { } name) => ScenarioProcess.Record(name, options),
            _ => Start(program, line.GetValue(s_only), options),
        };
        using var bytes = new MemoryStream();
        TraceFile.Write(bytes, trace);
        OutputFile file = asked ?? OutputFile.At((scenario ?? NameOf(trace)) + ".trace");
        WrittenFile written = file.Write(bytes.GetBuffer().AsSpan(0, (int)bytes.Length));
        Console.WriteLine(written.Path);
        Describe(trace, bytes.Length);
        return written.Problem is { } problem ? throw new IOException($"{problem} It is kept in {written.Path}") : 0;
    }

    private static BufferTrace Start(string[] program, string? only, RecordingOptions options)
    {
        var start = new ProcessStartInfo(program[0], program[1..]);
        IReadOnlyList<BufferTrace> traces = ProgramRecorder.RunAsync(start, only, options).GetAwaiter().GetResult().Traces;
        foreach (BufferTrace trace in traces)
        {
            Console.WriteLine($"{trace.Events.Length,9:N0} events: {ForeignText.Line(trace.Origin.Command)}");
        }

        return traces.Count > 0
            ? traces[0]
            : throw new InvalidDataException("No recorded process rented a buffer from an array pool.");
    }

    private static string NameOf(BufferTrace trace) =>
        trace.Origin.Program.Length > 0 ? ForeignText.FileName(trace.Origin.Program) : "recorded";

    private static void Describe(BufferTrace trace, long bytes)
    {
        TraceOrigin origin = trace.Origin;
        Console.WriteLine(
            $"  {trace.Rented:N0} rents, {trace.Returned:N0} of them returned, on {trace.Threads} threads, of {trace.Pools} pools, "
            + $"in {trace.Duration.TotalSeconds:0.0} s");
        Console.WriteLine(
            $"  {origin.LostEvents:N0} events lost, {origin.UnmatchedReturns:N0} returns of earlier rents; "
            + $"the program's pools allocated {origin.Allocated:N0} and dropped {origin.Dropped:N0}");
        Console.WriteLine($"  {ByteSize.Text(bytes)} in the file");
    }
}
