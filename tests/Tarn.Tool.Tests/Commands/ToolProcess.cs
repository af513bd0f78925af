using System.Diagnostics;
using Tarn.Diagnostics;

namespace Tarn.Tool.Tests.Commands;

/// <summary>The tool as its users start it: a process of its own.</summary>
internal sealed record ToolProcess(int ExitCode, string Output, string Error)
{
    /// <summary>After so long a tool that is to end by itself hangs, unless a test knows better.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(2);

    /// <summary>The tool's assembly, beside these tests.</summary>
    public static string Assembly { get; } = Path.Combine(AppContext.BaseDirectory, "Tarn.Tool.dll");

    /// <summary>Runs it to its end, in a folder.</summary>
    public static Task<ToolProcess> RunAsync(string folder, params string[] arguments) => RunAsync(folder, [], arguments);

    /// <summary>Runs it to its end, which comes at the latest after a time that the test knows.</summary>
    public static Task<ToolProcess> RunAsync(string folder, TimeSpan longest, params string[] arguments) =>
        RunAsync(folder, new ProcessStartInfo("dotnet", [Assembly, .. arguments]), onFirstLine: null, longest);

    /// <summary>Runs it with variables in its environment.</summary>
    public static Task<ToolProcess> RunAsync(string folder, (string Name, string Value)[] environment, params string[] arguments) =>
        RunAsync(folder, environment, onFirstLine: null, arguments);

    /// <summary>Runs it, and calls back once it has written a line.</summary>
    public static async Task<ToolProcess> RunAsync(
        string folder, (string Name, string Value)[] environment, Action? onFirstLine, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [Assembly, .. arguments]);
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return await RunAsync(folder, start, onFirstLine, s_longest);
    }

    /// <summary>Runs a line of the shell, in which tarn stands for the tool.</summary>
    public static Task<ToolProcess> RunLineAsync(string folder, string line) => RunAsync(
        folder, new ProcessStartInfo("/bin/sh", ["-c", $"tarn() {{ dotnet '{Assembly}' \"$@\"; }}; {line}"]), onFirstLine: null, s_longest);

    /// <exception cref="TimeoutException">It had not ended in time, and was killed.</exception>
    private static async Task<ToolProcess> RunAsync(string folder, ProcessStartInfo start, Action? onFirstLine, TimeSpan longest)
    {
        start.WorkingDirectory = folder;
        start.RedirectStandardOutput = start.RedirectStandardError = start.RedirectStandardInput = true;
        using Process process = Process.Start(start)!;
        Task<string> output = ReadAsync(process.StandardOutput, onFirstLine);
        Task<string> error = process.StandardError.ReadToEndAsync();
        using var late = new CancellationTokenSource(longest);
        try
        {
            await process.WaitForExitAsync(late.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
            string line = string.Join(' ', start.ArgumentList);
            throw new TimeoutException(
                $"\"{line}\" had not ended after {longest} and was killed. It wrote:\n{await output}\n{await error}");
        }

        return new ToolProcess(process.ExitCode, await output, await error);
    }

    private static async Task<string> ReadAsync(StreamReader output, Action? onFirstLine)
    {
        if (onFirstLine is null)
        {
            return await output.ReadToEndAsync();
        }

        string? first = await output.ReadLineAsync();
        onFirstLine();
        return $"{first}\n{await output.ReadToEndAsync()}";
    }
}
