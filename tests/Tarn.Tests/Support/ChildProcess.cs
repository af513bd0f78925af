using System.Diagnostics;

namespace Tarn.Tests.Support;

/// <summary>Runs a scenario of <c>Tarn.TestChild</c> in a process of its own.</summary>
internal static class ChildProcess
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <summary>The lines the scenario wrote; fails when it does not end, or ends badly.</summary>
    internal static string[] Run(string[] arguments, params (string Name, string? Value)[] environment)
    {
        (int exitCode, string output, string error) = RunToEnd(arguments, limits: null, environment);
        Assert.True(exitCode == 0, $"Exit code {exitCode}: {output}{error}");
        return Lines(output);
    }

    /// <summary>How the scenario ended and what it wrote, however badly it ended; fails when it does not end.</summary>
    /// <param name="arguments">The scenario and its arguments.</param>
    /// <param name="limits">A shell command that limits what the process may have, such as <c>ulimit -v 100000</c>.</param>
    /// <param name="environment">Variables of its own; null removes one.</param>
    internal static (int ExitCode, string Output, string Error) RunToEnd(
        string[] arguments, string? limits, params (string Name, string? Value)[] environment)
    {
        using Process process = Start(arguments, limits, environment);
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"{string.Join(' ', arguments)} did not end in {s_limit}; it wrote: {output.Result}{error.Result}");
        }

        return (process.ExitCode, output.Result, error.Result);
    }

    /// <summary>Starts the scenario, as <see cref="RunToEnd"/> does. Both its outputs must be read.</summary>
    internal static Process Start(string[] arguments, string? limits, params (string Name, string? Value)[] environment)
    {
        ProcessStartInfo start = new(limits is null ? HostPath : "bash")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        if (limits is not null)
        {
            start.ArgumentList.Add("-c");
            start.ArgumentList.Add($"{limits} && exec \"$0\" \"$@\"");
            start.ArgumentList.Add(HostPath);
        }

        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Tarn.TestChild.dll"));
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment.Remove(BufferChecksEnvironment.Variable);
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }

    internal static string[] Lines(string output) =>
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>The tests run under the same host.</summary>
    private static string HostPath =>
        Environment.GetEnvironmentVariable("DOTNET_HOST_PATH")
        ?? (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? Environment.ProcessPath! : "dotnet");
}
