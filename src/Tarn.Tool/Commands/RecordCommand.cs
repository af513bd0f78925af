using System.CommandLine;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>record</c>: records a running process, or a program from its first instruction with its child processes.</summary>
internal static class RecordCommand
{
    private static readonly RecordingOptions s_defaults = new();

    private static readonly Argument<string[]> s_target = new("target")
    {
        Description = "The id or the name of a running process; or, after --, a program and its arguments.",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly TimeSpan s_attachedTime = TimeSpan.FromSeconds(30);

    private static readonly Option<TimeSpan?> s_time = DurationOption.CreateOptional(
        "--for",
        "The longest time of each process; the process then continues. A running process: 30s by default; a started program: to its end.");

    private static readonly Option<bool> s_stacks = new("--stacks")
    {
        Description = "Record the stack of each rent and return, without which no call sites are found. --stacks false costs less.",
        DefaultValueFactory = _ => true,
    };

    private static readonly Option<FileInfo?> s_output = new("--output", "-o")
    {
        Description = "The file to write; by default NAME-ID.tarn in the current folder. Child processes get files beside it.",
        HelpName = "FILE",
    };

    private static readonly Option<int> s_events = new("--events")
    {
        Description = "End after this many rents and returns.",
        DefaultValueFactory = _ => BufferTrace.MostEvents,
    };

    private static readonly Option<int> s_buffer = new("--buffer")
    {
        Description = "The mebibytes that the recorded process may use for events that are not read yet. Beyond them, events are lost.",
        DefaultValueFactory = _ => s_defaults.BufferMegabytes,
    };

    public static Command Create()
    {
        var command = new Command("record", "Records what a .NET program rents from its pools, for the commands that read recordings.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_time);
        command.Options.Add(s_stacks);
        command.Options.Add(s_output);
        command.Options.Add(StartedProgram.Only);
        command.Options.Add(StartedProgram.WithSdk);
        command.Options.Add(s_events);
        command.Options.Add(s_buffer);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        (string[] target, bool isProgram) = ToolCommand.ReadTarget(line, s_target);

        RecordingOptions options = ReadOptions(line, isProgram);
        using var interruption = new Interruption();
        return isProgram
            ? RecordProgram(target, options, line, interruption.Token)
            : RecordProcess(target[0], options, line.GetValue(s_output), interruption.Token);
    }

    private static RecordingOptions ReadOptions(ParseResult line, bool isProgram)
    {
        int events = line.GetValue(s_events);
        int buffer = line.GetValue(s_buffer);
        return events is < 1 or > BufferTrace.MostEvents || buffer is < 1 or > 4_096
            ? throw new InvalidDataException($"--events is 1 to {BufferTrace.MostEvents}, --buffer 1 to 4096 (MiB).")
            : new RecordingOptions
            {
                MostEvents = events,
                LongestTime = line.GetValue(s_time) ?? (isProgram ? null : s_attachedTime),
                BufferMegabytes = buffer,
                Detail = line.GetValue(s_stacks) ? RecordingDetail.Stacks : RecordingDetail.Pools,
                IncludesSdk = line.GetValue(StartedProgram.WithSdk),
            };
    }

    private static int RecordProcess(string target, RecordingOptions options, FileInfo? output, CancellationToken cancellationToken)
    {
        DotnetProcess process = ProcessFinder.Find(target);
        using OutputFile file = OutputFile.Open(output?.FullName ?? DefaultPath(process.Name, process.Id));
        Console.Error.WriteLine(
            $"Recording {process.Name}, process {process.Id}, for {Words.Time(options.LongestTime ?? s_attachedTime)}. "
            + "Ctrl+C ends it earlier.");
        BufferTrace trace;
        try
        {
            trace = TraceRecorder.Attach(process.Id, options, cancellationToken);
        }
        catch (RecordingException exception)
        {
            throw new RecordingException(ProcessFinder.Explain(process.Id) ?? exception.Message, exception);
        }

        Write(trace, file);
        return 0;
    }

    private static int RecordProgram(string[] program, RecordingOptions options, ParseResult line, CancellationToken cancellationToken)
    {
        using OutputFile? first = line.GetValue(s_output) is { } output ? OutputFile.Open(output.FullName) : null;
        StartedProgram run = StartedProgram.Record(program, line.GetValue(StartedProgram.Only), options, cancellationToken);
        if (run.WhyNothing is { } reason)
        {
            throw new InvalidDataException($"Nothing was recorded: {reason}");
        }

        foreach ((int index, BufferTrace trace) in run.Recording.Traces.Index())
        {
            Write(trace, first is null ? OutputFile.At(DefaultPath(trace)) : index == 0 ? first : OutputFile.At(Beside(first.Path, trace)));
        }

        return run.ExitCode;
    }

    private static void Write(BufferTrace trace, OutputFile file)
    {
        using var bytes = new MemoryStream();
        TraceFile.Write(bytes, trace);
        WrittenFile written = file.Write(bytes.GetBuffer().AsSpan(0, (int)bytes.Length));
        Findings findings = TraceAnalysis.Of(trace);
        Console.Error.WriteLine();
        Console.Error.WriteLine(
            $"{Terminal.Note(written)}: {trace.Rented:N0} rents in {Words.Time(findings.Duration)}, {Command(trace.Origin)}");
        Console.Error.WriteLine($"  {Verdict.Of(findings)}");
        foreach (string warning in Words.Gaps(findings))
        {
            Console.Error.WriteLine($"  {warning}");
        }

        Console.Error.WriteLine($"  tarn report {Path.GetRelativePath(Environment.CurrentDirectory, written.Path)}");
    }

    private static string Command(TraceOrigin origin) =>
        ForeignText.Line(origin.Command.Length <= 100 ? origin.Command : origin.Command[..99] + "…");

    private static string DefaultPath(BufferTrace trace) => DefaultPath(trace.Origin.Program, trace.Details?.ProcessId);

    private static string DefaultPath(string program, int? process) =>
        Path.GetFullPath($"{(program.Length > 0 ? ForeignText.FileName(program) : "recording")}-{process}.tarn");

    private static string Beside(string output, BufferTrace trace) => Path.Combine(
        Path.GetDirectoryName(output)!,
        $"{Path.GetFileNameWithoutExtension(output)}.{ForeignText.FileName(trace.Origin.Program)}-{trace.Details?.ProcessId}"
        + Path.GetExtension(output));
}
