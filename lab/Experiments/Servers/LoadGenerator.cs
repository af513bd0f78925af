using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>Loads a server with programs that others wrote: <c>wrk</c> for HTTP/1.1, <c>h2load</c> for HTTP/2.</summary>
internal sealed partial class LoadGenerator : IDisposable
{
    private const string Wrk = "wrk";
    private const string H2Load = "h2load";

    /// <summary>The streams of an HTTP/2 connection that are used at a time.</summary>
    private const int Streams = 8;

    private readonly DirectoryInfo _files = Directory.CreateTempSubdirectory("tarn-lab-load");

    public LoadGenerator()
    {
        File.WriteAllText(
            ScriptFile, $"wrk.method = \"POST\"\nwrk.body = string.rep(\"x\", {ServerLoad.UploadBytes})\n");
        File.WriteAllBytes(BodyFile, new byte[ServerLoad.UploadBytes]);
    }

    private string ScriptFile => Path.Combine(_files.FullName, "upload.lua");

    private string BodyFile => Path.Combine(_files.FullName, "body");

    private string LogFile => Path.Combine(_files.FullName, "log");

    /// <summary>The programs that this system lacks.</summary>
    public static IReadOnlyList<string> Missing { get; } = [.. new[] { Wrk, H2Load }.Where(program => !IsInstalled(program))];

    /// <summary>The report's sentences about programs that were missing; empty without any.</summary>
    public static string Describe(IReadOnlyList<string> missing) => missing.Count == 0
        ? ""
        : $" Not measured, because not installed here: {string.Join(" and ", missing)}. On Debian: apt-get install wrk nghttp2-client.";

    /// <summary>Whether the program for a protocol is installed.</summary>
    public static bool Serves(ServerProtocol protocol) => !Missing.Contains(protocol == ServerProtocol.Http2 ? H2Load : Wrk);

    /// <summary>Loads the server for a while.</summary>
    /// <exception cref="InvalidOperationException">The program failed; the message contains its output.</exception>
    public LoadFound Run(ServerProcess server, ServerLoad load, TimeSpan duration) => Run(server, load, load.Connections, duration);

    /// <summary>The same with another number of connections.</summary>
    /// <exception cref="InvalidOperationException">The program failed; the message contains its output.</exception>
    public LoadFound Run(ServerProcess server, ServerLoad load, int connections, TimeSpan duration)
    {
        double before = ChildTime.Nanoseconds();
        LoadFound found = RunUntimed(server, load, connections, duration);
        return found with { GeneratorNanoseconds = ChildTime.Nanoseconds() - before };
    }

    public void Dispose() => _files.Delete(recursive: true);

    /// <summary>Reads what wrk prints with <c>--latency</c>.</summary>
    internal static LoadFound ReadWrk(string output)
    {
        Match late = WrkLatePattern().Match(output);
        double unit = late.Groups[2].Value switch { "us" => 1e3, "ms" => 1e6, "s" => 1e9, _ => 60e9 };
        long failures = WrkErrorsPattern().Matches(output)
            .SelectMany(found => found.Groups.Values.Skip(1)).Where(group => group.Success).Sum(group => Whole(group.Value));
        return new LoadFound(Number(WrkRatePattern().Match(output), output), Number(late, output) * unit, failures);
    }

    /// <summary>Reads what h2load prints, and its log: start, status and microseconds of each request.</summary>
    internal static LoadFound ReadH2Load(string output, IEnumerable<string> log)
    {
        (int Status, double Microseconds)[] requests =
        [
            .. log.Select(line => line.Split('\t')).Where(cells => cells.Length == 3)
                .Select(cells => ((int)Whole(cells[1]), (double)Whole(cells[2]))).OrderBy(request => request.Item2),
        ];
        Match counts = H2LoadCountsPattern().Match(output);
        if (!counts.Success || requests.Length == 0)
        {
            throw new InvalidOperationException($"h2load has not reported its requests: {output.Trim()}");
        }

        long failures = counts.Groups.Values.Skip(1).Sum(group => Whole(group.Value)) + requests.Count(request => request.Status != 200);
        double late = requests[(int)Math.Min(requests.Length - 1, Math.Ceiling(requests.Length * 0.99))].Microseconds;
        return new LoadFound(Number(H2LoadRatePattern().Match(output), output), late * 1e3, failures);
    }

    private LoadFound RunUntimed(ServerProcess server, ServerLoad load, int connections, TimeSpan duration)
    {
        string address = new Uri(server.AddressOf(load.Protocol), load.Path).ToString();
        string seconds = duration.TotalSeconds.ToString("0", CultureInfo.InvariantCulture);
        string count = connections.ToString(CultureInfo.InvariantCulture);
        if (load.Protocol == ServerProtocol.Http2)
        {
            File.Delete(LogFile);
            string[] body = load.Work == ServerWork.Upload ? ["-d", BodyFile] : [];
            string clients = Math.Max(1, connections / Streams).ToString(CultureInfo.InvariantCulture);
            string output = Start(H2Load, ["-c", clients, "-m", $"{Streams}", "-D", seconds, $"--log-file={LogFile}", .. body, address]);
            return ReadH2Load(output, File.ReadLines(LogFile));
        }

        string[] script = load.Work == ServerWork.Upload ? ["-s", ScriptFile] : [];
        return ReadWrk(Start(Wrk, ["-t", "1", "-c", count, "-d", $"{seconds}s", "--timeout", "30s", "--latency", .. script, address]));
    }

    private static double Number(Match match, string output) => match.Success
        ? double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)
        : throw new InvalidOperationException($"The load generator has not reported its rate: {output.Trim()}");

    private static long Whole(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    private static string Start(string program, string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException(
                $"{program} {string.Join(' ', arguments)} ended with exit code {process.ExitCode}: {error.Result.Trim()}");
    }

    private static bool IsInstalled(string program) => (Environment.GetEnvironmentVariable("PATH") ?? "")
        .Split(Path.PathSeparator)
        .Any(folder => File.Exists(Path.Combine(folder, program)));

    [GeneratedRegex(@"^Requests/sec:\s+([\d.]+)", RegexOptions.Multiline)]
    private static partial Regex WrkRatePattern();

    [GeneratedRegex(@"^\s+99%\s+([\d.]+)(us|ms|s|m)\s*$", RegexOptions.Multiline)]
    private static partial Regex WrkLatePattern();

    [GeneratedRegex(
        @"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)|Non-2xx or 3xx responses: (\d+)")]
    private static partial Regex WrkErrorsPattern();

    [GeneratedRegex(@"^finished in .*?, ([\d.]+) req/s", RegexOptions.Multiline)]
    private static partial Regex H2LoadRatePattern();

    [GeneratedRegex(@"^requests: .* (\d+) failed, (\d+) errored, (\d+) timeout", RegexOptions.Multiline)]
    private static partial Regex H2LoadCountsPattern();
}
