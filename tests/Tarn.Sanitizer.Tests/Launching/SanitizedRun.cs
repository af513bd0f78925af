using System.Diagnostics;

namespace Tarn.Sanitizing.Tests.Launching;

/// <summary>A program that ran under <c>tarn sanitize</c>, or alone.</summary>
/// <param name="ExitCode">The exit code of the tool.</param>
/// <param name="Output">What the program wrote.</param>
/// <param name="Error">What it and the tool wrote as errors.</param>
internal sealed record SanitizedRun(int ExitCode, string Output, string Error)
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(4);

    /// <summary>The private frameworks of all tests: built once.</summary>
    public static string Cache { get; } = Path.Combine(AppContext.BaseDirectory, "frameworks");

    /// <summary>The child program, as it was built beside these tests.</summary>
    public static string Child { get; } = Path.Combine(
        AppContext.BaseDirectory.Replace("Tarn.Sanitizer.Tests", "Tarn.Sanitizer.TestChild", StringComparison.Ordinal),
        "Tarn.Sanitizer.TestChild.dll");

    /// <summary>The file that starts it by itself.</summary>
    public static string ChildHost => Path.ChangeExtension(Child, OperatingSystem.IsWindows() ? ".exe" : null);

    /// <summary>The value that the child told of a fact.</summary>
    public string this[string fact] =>
        Output.Split('\n').FirstOrDefault(line => line.StartsWith($"{fact}=", StringComparison.Ordinal))?[(fact.Length + 1)..].TrimEnd('\r')
        ?? throw new InvalidOperationException($"No {fact} in: {Output}{Error}");

    /// <summary>Runs the tool.</summary>
    public static SanitizedRun Tool(params string[] arguments) => Run(StartTool(arguments), "");

    /// <summary>Runs a program under the tool.</summary>
    public static SanitizedRun Program(params string[] program) => Tool(["sanitize", "--", .. program]);

    /// <summary>How to start the tool, with its streams redirected.</summary>
    public static ProcessStartInfo StartTool(params string[] arguments)
    {
        ProcessStartInfo start = Start("dotnet", [Path.Combine(AppContext.BaseDirectory, "Tarn.Tool.dll"), .. arguments]);
        start.Environment[SanitizerSettings.RootVariable] = Cache;
        return start;
    }

    /// <summary>How to start a program, with its streams redirected.</summary>
    public static ProcessStartInfo Start(string program, params string[] arguments) => new(program, arguments)
    {
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
        RedirectStandardError = true,
        Environment = { ["DOTNET_NOLOGO"] = "1" },
    };

    /// <summary>Runs to the end, with this input.</summary>
    /// <exception cref="TimeoutException">The process had not ended in time, and was killed. The message holds its output.</exception>
    public static SanitizedRun Run(ProcessStartInfo start, string input)
    {
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        process.StandardInput.Write(input);
        process.StandardInput.Close();
        if (!process.WaitForExit(s_longest))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException(
                $"The process had not ended after {s_longest} and was killed. It wrote:\n{output.Result}\n{error.Result}");
        }

        return new SanitizedRun(process.ExitCode, output.Result, error.Result);
    }
}
