using System.CommandLine;
using System.CommandLine.Parsing;
using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Diagnostics;
using Tarn.Pages;
using Tarn.Tool.Allocations;
using Tarn.Tool.Asking;
using Tarn.Tool.Memory.Figures;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>profile</c>: the heap profile of a process that uses Tarn, and the allocation profile of any other.</summary>
internal static class ProfileCommand
{
    /// <summary>The session that keeps sampling on receives next to nothing.</summary>
    private const int BufferMegabytes = 16;

    private const string Hint = "Or sample for a while with tarn profile --for 30s.";

    private static readonly TimeSpan s_allocationTime = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_longestQuestion = TimeSpan.FromSeconds(5);

    private static readonly (string Type, string Unit)[] s_heapValues =
    [
        .. AllocationPprof.Values(withInUse: true), ("lost_objects", "count"), ("lost_space", "bytes"),
    ];

    private static readonly Argument<string> s_target = ToolCommand.RunningProcess();

    private static readonly Option<FileInfo> s_output = new("--output", "-o")
    {
        Description = "The file to write, for pprof: by default heap.pb.gz, or alloc.pb.gz of allocations.",
        HelpName = "FILE",
    };

    private static readonly Option<bool> s_allocations = new("--allocations")
    {
        Description = "Profile what the process allocates from the garbage collector, also if it uses Tarn.",
    };

    private static readonly Option<bool> s_inUse = new("--in-use")
    {
        Description = "Follow what the process allocates from the garbage collector, and tell what is still in use.",
    };

    private static readonly Option<bool> s_collect = new("--collect")
    {
        Description = "With --in-use: have the process collect all its garbage at the end. It stands still meanwhile.",
    };

    private static readonly Option<Uri?> s_push = new("--push")
    {
        Description = "Send the profile to a server of Grafana Pyroscope, or one that takes the same, instead of writing a file.",
        HelpName = "URL",
        CustomParser = ParseServer,
    };

    private static readonly Option<TimeSpan?> s_time = DurationOption.CreateOptional(
        "--for", "How long to sample. Allocations: 30s by default. With Tarn: needed only in a process that samples nothing.");

    private static readonly Option<long> s_interval = new("--interval")
    {
        Description = "With Tarn and --for: the mean number of bytes between two samples.",
        HelpName = "BYTES",
        DefaultValueFactory = _ => BufferDiagnostics.DefaultSampleInterval,
    };

    private static readonly Option<TimeSpan> s_patience = DurationOption.Create(
        "--timeout", "How long to wait for the answer.", TimeSpan.FromSeconds(30));

    public static Command Create()
    {
        var command = new Command(
            "profile", "Writes call sites by the bytes they allocate, for pprof; of a process that uses Tarn, by the bytes in use too.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_output);
        command.Options.Add(s_push);
        command.Options.Add(s_allocations);
        command.Options.Add(s_inUse);
        command.Options.Add(s_collect);
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

        AllocationDetail detail = ReadDetail(line);
        DotnetProcess process = ProcessFinder.Find(line.GetValue(s_target)!);
        using var interruption = new Interruption();
        bool usesTarn = detail == AllocationDetail.Allocations && !line.GetValue(s_allocations) && UsesTarn(process, interruption.Token);
        using OutputFile? output = line.GetValue(s_push) is null
            ? OutputFile.Open((line.GetValue(s_output) ?? new FileInfo(usesTarn ? "heap.pb.gz" : "alloc.pb.gz")).FullName)
            : null;
        Profile profile = usesTarn
            ? TakeHeap(process, line, interval, interruption.Token)
            : TakeAllocations(process, line.GetValue(s_time) ?? s_allocationTime, detail, interruption.Token);
        if (line.GetValue(s_push) is { } server)
        {
            ProfilePush.SendAsync(server, process.Name, profile.At, profile.Duration, profile.Bytes, profile.Values)
                .GetAwaiter().GetResult();
            Console.Error.WriteLine($"{Words.Bytes(profile.Bytes.Length)} sent to {server.Host} as {process.Name}.");
            return ExitCode(profile);
        }

        WrittenFile written = output!.Write(profile.Bytes);
        Console.Error.WriteLine(
            $"{Terminal.Note(written)}: {Words.Bytes(profile.Bytes.Length)}. Read it with: go tool pprof -top "
            + Path.GetRelativePath(Environment.CurrentDirectory, written.Path));
        return ExitCode(profile);
    }

    /// <summary>A profile that lacks what was asked for is written all the same, and is a failure.</summary>
    private static int ExitCode(Profile profile)
    {
        if (profile.Lacks.Length > 0)
        {
            Console.Error.WriteLine(profile.Lacks);
        }

        return profile.Lacks.Length > 0 ? ToolCommand.Refused : 0;
    }

    private static AllocationDetail ReadDetail(ParseResult line) => (line.GetValue(s_inUse), line.GetValue(s_collect)) switch
    {
        (false, true) => throw new InvalidDataException("--collect is for --in-use: without it, nothing tells which objects are in use."),
        (true, true) => AllocationDetail.InUseAfterCollection,
        (true, false) => AllocationDetail.InUse,
        _ => AllocationDetail.Allocations,
    };

    /// <summary>A program in a single file does not show its assemblies, so it is asked.</summary>
    private static bool UsesTarn(DotnetProcess process, CancellationToken end)
    {
        if (process.Pools.Contains("Tarn"))
        {
            return true;
        }

        using var session = RuntimeSession.Start(process.Id, collects: false);
        return session.Wait(s_longestQuestion, end) && session.Tarn.Count > 0;
    }

    private static Profile TakeHeap(DotnetProcess process, ParseResult line, long interval, CancellationToken interrupted)
    {
        DateTimeOffset at = DateTimeOffset.Now;
        using ProcessSession? sampling = line.GetValue(s_time) is { } time ? Sample(process, interval, time, interrupted) : null;

        // Ctrl+C ends the sampling early, and its profile is written all the same.
        CancellationToken end = sampling is null ? interrupted : CancellationToken.None;
        IReadOnlyList<ReportPart> parts = ProcessReport.Ask(process, "Profile", line.GetValue(s_patience), Hint, end);
        using var bytes = new MemoryStream();
        foreach (ReportPart part in parts.OrderBy(part => part.Get<int>("part")))
        {
            bytes.Write(Convert.FromBase64String(part.Get<string>("content")));
        }

        return new Profile(bytes.ToArray(), at, DateTimeOffset.Now - at, s_heapValues, "");
    }

    private static Profile TakeAllocations(DotnetProcess process, TimeSpan time, AllocationDetail detail, CancellationToken end)
    {
        if (!AllocationEvents.IsRandomIn(process.Runtime))
        {
            throw new RecordingException(
                $"{process.Name}, process {process.Id}, runs on {process.Runtime}: allocations are sampled evenly from .NET 10 on. For a "
                + "rough answer there is tarn candidates.");
        }

        Console.Error.WriteLine($"Sampling {process.Name}, process {process.Id}, for {Words.Time(time)}. Ctrl+C ends it earlier.");
        AllocationRecording recording = AllocationRecorder.Attach(process.Id, time, detail, end);
        using var bytes = new MemoryStream();
        AllocationPprof.Write(recording, bytes);
        if (WindowWords.Of(recording) is { } windows)
        {
            Console.Error.WriteLine(windows);
        }

        bool isFollowed = recording.Fates is not null;
        if (isFollowed)
        {
            Console.Error.WriteLine(InUseWords.Of(recording));
        }

        return new Profile(
            bytes.ToArray(), recording.At, recording.Duration, AllocationPprof.Values(isFollowed), Lacks(recording, detail));
    }

    private static string Lacks(AllocationRecording recording, AllocationDetail detail) => detail switch
    {
        AllocationDetail.Allocations => "",
        _ when recording.Fates is null => InUseWords.WhyNot(recording),
        AllocationDetail.InUseAfterCollection when !recording.HasCollected =>
            "The process did not collect its garbage at the end: has it ended?",
        _ => "",
    };

    private static Uri? ParseServer(ArgumentResult result)
    {
        if (Uri.TryCreate(result.Tokens[0].Value, UriKind.Absolute, out Uri? address) && address.Scheme is "http" or "https")
        {
            return address;
        }

        result.AddError($"'{result.Tokens[0].Value}' is no address of a server: write http://host:4040 or https://user:password@host.");
        return null;
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

    /// <summary>A profile in pprof's format.</summary>
    /// <param name="Bytes">The profile.</param>
    /// <param name="At">When it begins.</param>
    /// <param name="Duration">How long it is.</param>
    /// <param name="Values">What its samples count, with the units.</param>
    /// <param name="Lacks">What was asked for and is not in it, and why; empty if nothing.</param>
    private sealed record Profile(
        byte[] Bytes, DateTimeOffset At, TimeSpan Duration, (string Type, string Unit)[] Values, string Lacks);
}
