using System.CommandLine;
using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Tool.Asking;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>profile</c>: the heap profile of a process that uses Tarn.</summary>
internal static class ProfileCommand
{
    /// <summary>The session that keeps sampling on receives next to nothing.</summary>
    private const int BufferMegabytes = 16;

    private const string Hint = "Or sample for a while with tarn profile --for 30s.";

    private static readonly Argument<string> s_target = ToolCommand.RunningProcess();

    private static readonly Option<FileInfo> s_output = new("--output", "-o")
    {
        Description = "The file to write, for pprof: heap.pb.gz by default.",
        HelpName = "FILE",
        DefaultValueFactory = _ => new FileInfo("heap.pb.gz"),
    };

    private static readonly Option<TimeSpan?> s_time = DurationOption.CreateOptional(
        "--for", "Sample for this long first, in a process that samples nothing; sampling ends with the command.");

    private static readonly Option<long> s_interval = new("--interval")
    {
        Description = "With --for: the mean number of bytes between two samples.",
        HelpName = "BYTES",
        DefaultValueFactory = _ => BufferDiagnostics.DefaultSampleInterval,
    };

    private static readonly Option<TimeSpan> s_patience = DurationOption.Create(
        "--timeout", "How long to wait for the answer.", TimeSpan.FromSeconds(30));

    public static Command Create()
    {
        var command = new Command(
            "profile", "Writes the heap profile of a process that uses Tarn: call sites by bytes in use and allocated, for pprof.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_output);
        command.Options.Add(s_time);
        command.Options.Add(s_interval);
        command.Options.Add(s_patience);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        long interval = line.GetValue(s_interval);
        if (interval < 1)
        {
            throw new InvalidDataException($"--interval is a number of bytes from 1 on, not {interval}.");
        }

        DotnetProcess process = ProcessFinder.Find(line.GetValue(s_target)!);
        using var interruption = new Interruption();
        using ProcessSession? sampling = line.GetValue(s_time) is { } time ? Sample(process, interval, time, interruption.Token) : null;

        // Ctrl+C ends the sampling early, and its profile is written all the same.
        CancellationToken end = sampling is null ? interruption.Token : CancellationToken.None;
        IReadOnlyList<ReportPart> parts = ProcessReport.Ask(process, "Profile", line.GetValue(s_patience), Hint, end);
        FileInfo output = line.GetValue(s_output)!;
        using (FileStream file = output.Create())
        {
            foreach (ReportPart part in parts.OrderBy(part => part.Get<int>("part")))
            {
                file.Write(Convert.FromBase64String(part.Get<string>("content")));
            }
        }

        output.Refresh();
        Console.Error.WriteLine($"{output.FullName}: {Words.Bytes(output.Length)}. Read it with: go tool pprof -top {output.Name}");
        return 0;
    }

    /// <summary>Starts to sample and waits. Sampling ends with the session.</summary>
    private static ProcessSession Sample(DotnetProcess process, long interval, TimeSpan time, CancellationToken end)
    {
        Dictionary<string, string> arguments = new()
        {
            [nameof(BufferDiagnostics.SampleInterval)] = interval.ToString(CultureInfo.InvariantCulture),
        };
        EventPipeProvider library = new(BufferDiagnostics.EventSourceName, EventLevel.Critical, 0, arguments);
        var session = ProcessSession.Start(process.Id, [library], BufferMegabytes, _ => { });
        _ = end.WaitHandle.WaitOne(time);
        return session;
    }
}
