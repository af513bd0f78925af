using System.Collections;
using System.Diagnostics;
using System.Text;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>A command of the SDK that ran to its end.</summary>
/// <param name="ExitCode">Zero when it succeeded.</param>
/// <param name="Output">All it wrote.</param>
internal sealed record DotnetRun(int ExitCode, string Output)
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(5);

    /// <param name="folder">Where it runs.</param>
    /// <param name="packages">The folder that packages are installed in; null for the folder of the user who runs the tests.</param>
    /// <param name="arguments">The command.</param>
    internal static DotnetRun Start(string folder, string? packages, params string[] arguments)
    {
        using Process process = new() { StartInfo = StartInfo(folder, packages, arguments) };
        StringBuilder output = new();
        void Add(object sender, DataReceivedEventArgs line)
        {
            lock (output)
            {
                output.AppendLine(line.Data);
            }
        }

        process.OutputDataReceived += Add;
        process.ErrorDataReceived += Add;
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        if (!process.WaitForExit(s_longest))
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
            throw new TimeoutException($"The command had not ended after {s_longest} and was killed. It wrote:\n{output}");
        }

        process.WaitForExit();
        return new DotnetRun(process.ExitCode, output.ToString());
    }

    private static ProcessStartInfo StartInfo(string folder, string? packages, string[] arguments)
    {
        ProcessStartInfo start = new(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // A test run has variables of its own build, which must not steer this one; servers it starts would outlive it.
        foreach (string name in Environment.GetEnvironmentVariables().Cast<DictionaryEntry>().Select(static entry => (string)entry.Key))
        {
            if (name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase))
            {
                start.Environment.Remove(name);
            }
        }

        if (packages is not null)
        {
            start.Environment["NUGET_PACKAGES"] = packages;
        }

        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["UseSharedCompilation"] = "false";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "false";
        start.Environment["DOTNET_NOLOGO"] = "1";
        return start;
    }
}
