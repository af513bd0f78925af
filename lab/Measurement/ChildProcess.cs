using System.Diagnostics;
using System.Text.Json;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Starts the lab once more for one job. Resident memory is a process's, and what an experiment before left behind must not count: so it
/// is measured in a process that does nothing else.
/// </summary>
internal static class ChildProcess
{
    /// <summary>The subcommand that a child is started with.</summary>
    public const string Command = "child";

    /// <summary>What the job found, by name.</summary>
    /// <exception cref="InvalidOperationException">The child failed; the message holds what it wrote.</exception>
    public static IReadOnlyDictionary<string, double> Run(string job, params IEnumerable<string> arguments) =>
        Run(job, new Dictionary<string, string>(), arguments);

    /// <summary>The same in an environment of which some variables are set otherwise.</summary>
    /// <exception cref="InvalidOperationException">The child failed; the message holds what it wrote.</exception>
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
