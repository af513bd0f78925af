using System.Diagnostics;

namespace Tarn.Samples.Tests;

/// <summary>A sample in a process of its own, as a user starts it.</summary>
internal sealed class SampleProcess : IDisposable
{
    /// <summary>It only keeps a failing test from hanging, on a machine that does much else.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    private readonly Process _process;
    private readonly List<string> _lines = [];

    private SampleProcess(Process process)
    {
        _process = process;
        process.OutputDataReceived += (_, line) => Keep(line.Data);
        process.ErrorDataReceived += (_, line) => Keep(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
    }

    /// <summary>The folder that holds the solution.</summary>
    internal static string Root { get; } = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "../../../../.."));

    /// <summary>The samples, each a folder.</summary>
    internal static IEnumerable<string> Names => Directory.GetDirectories(Path.Combine(Root, "samples")).Select(Path.GetFileName)!;

    /// <summary>What it wrote so far.</summary>
    internal string Output
    {
        get
        {
            lock (_lines)
            {
                return string.Join('\n', _lines);
            }
        }
    }

    /// <summary>Runs a sample to its end.</summary>
    /// <returns>How it ended, and what it wrote.</returns>
    internal static (int ExitCode, string Output) Run(string sample, params string[] arguments)
    {
        using SampleProcess process = Start(sample, arguments);
        Assert.True(process._process.WaitForExit(s_limit), $"{sample} did not end in {s_limit}. It wrote: {process.Output}");
        process._process.WaitForExit();
        return (process._process.ExitCode, process.Output);
    }

    internal static SampleProcess Start(string sample, params string[] arguments)
    {
        DirectoryInfo framework = new(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        string program = Path.Combine(
            Root, "samples", sample, "bin", framework.Parent!.Name, framework.Name, $"Tarn.Samples.{sample}.dll");
        string host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        return new SampleProcess(Process.Start(
            new ProcessStartInfo(host, ["exec", program, .. arguments]) { RedirectStandardOutput = true, RedirectStandardError = true })!);
    }

    /// <summary>Waits until a line has been written that begins with this, and returns the rest of it.</summary>
    internal string Await(string beginning)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (true)
        {
            lock (_lines)
            {
                if (_lines.Find(line => line.StartsWith(beginning, StringComparison.Ordinal)) is { } found)
                {
                    return found[beginning.Length..];
                }
            }

            Assert.True(waited.Elapsed < s_limit && !_process.HasExited, $"\"{beginning}\" was not written, but: {Output}");
            Thread.Sleep(5);
        }
    }

    /// <summary>Kills it, as the system kills a process that uses too much memory.</summary>
    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    private void Keep(string? line)
    {
        lock (_lines)
        {
            if (line is not null)
            {
                _lines.Add(line);
            }
        }
    }
}
