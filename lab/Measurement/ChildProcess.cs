using System.Diagnostics;
using System.Text.Json;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Starts another process of the lab for one job. Resident memory belongs to a process, and remains of an earlier experiment must not
/// count, so it is measured in a process that does nothing else.
/// </summary>
internal static class ChildProcess
{
    /// <summary>The subcommand that a child is started with.</summary>
    public const string Command = "child";

    /// <summary>Runs a job and returns its named results.</summary>
    /// <exception cref="InvalidOperationException">The child failed; the message contains its output.</exception>
    public static IReadOnlyDictionary<string, double> Run(string job, params IEnumerable<string> arguments) =>
        Run(job, new Dictionary<string, string>(), arguments);

    /// <summary>Runs a job with some environment variables changed.</summary>
    /// <exception cref="InvalidOperationException">The child failed; the message contains its output.</exception>
    public static IReadOnlyDictionary<string, double> Run(
        string job, IReadOnlyDictionary<string, string> environment, params IEnumerable<string> arguments)
    {
        ProcessStartInfo start = CreateStart(job, arguments);
        foreach ((string variable, string value) in environment)
        {
            start.Environment[variable] = value;
        }

        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"The job {job} ended with exit code {process.ExitCode}: {error.Result.Trim()}");
        }

        return JsonSerializer.Deserialize<Dictionary<string, double>>(output)!;
    }

    internal static ProcessStartInfo CreateStart(string job, IEnumerable<string> arguments)
    {
        string assembly = typeof(ChildProcess).Assembly.Location;
        string host = Environment.ProcessPath!;
        bool isLab = Path.GetFileNameWithoutExtension(host) == Path.GetFileNameWithoutExtension(assembly);
        return new ProcessStartInfo(host, [.. isLab ? Enumerable.Empty<string>() : [assembly], Command, job, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
    }
}
