using System.CommandLine;
using System.Diagnostics;
using Tarn.Pages;
using Tarn.Tool.Allocations;
using Tarn.Tool.Analysis;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>candidates</c>: what pooling would save, in a program that does not pool yet.</summary>
internal static class CandidatesCommand
{
    private static readonly TimeSpan s_attachedTime = TimeSpan.FromSeconds(30);

    private static readonly Argument<string[]> s_target = new("target")
    {
        Description = "The id or the name of a running process; or, after --, a program and its arguments.",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<TimeSpan?> s_time = DurationOption.CreateOptional(
        "--for", "The longest time of each process. A running process: 30s by default; a started program: to its end.");

    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON." };

    public static Command Create()
    {
        var command = new Command(
            "candidates", "Ranks what pooling would save in any .NET program: which arrays it allocates, where, and what to use instead.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_time);
        command.Options.Add(s_json);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        (string[] target, bool isProgram) = ToolCommand.ReadTarget(line, s_target);

        using var interruption = new Interruption();
        if (!isProgram)
        {
            DotnetProcess process = ProcessFinder.Find(target[0]);
            TimeSpan time = line.GetValue(s_time) ?? s_attachedTime;
            Console.Error.WriteLine($"Sampling {process.Name}, process {process.Id}, for {Words.Time(time)}. Ctrl+C ends it earlier.");
            Write(AllocationRecorder.Attach(process.Id, time, AllocationDetail.Allocations, interruption.Token), line);
            return 0;
        }

        (IReadOnlyList<AllocationRecording> recordings, int exitCode) = AllocationRecorder
            .RunAsync(
                new ProcessStartInfo(target[0], target[1..]), line.GetValue(s_time), KeepPortCommand.Start(), interruption.Token)
            .GetAwaiter().GetResult();
        if (recordings.Count > 1)
        {
            Console.Error.WriteLine(
                $"{recordings.Count} processes ran. This is the one that allocated most; the others: "
                + ForeignText.Line(string.Join(", ", recordings.Skip(1).Select(one => $"{one.Facts.Program} ({one.ProcessId})"))) + ".");
        }

        Write(recordings[0], line);
        return exitCode;
    }

    private static void Write(AllocationRecording recording, ParseResult line)
    {
        CandidateReport report = CandidateAnalysis.Of(recording, new SourceTree(Environment.CurrentDirectory));
        if (line.GetValue(s_json))
        {
            Console.WriteLine(JsonText.Of(report));
            return;
        }

        Terminal.Output.Write(new CandidateView(Terminal.Output.Profile.Width).Draw(report));
    }
}
