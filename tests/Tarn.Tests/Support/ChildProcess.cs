using System.Diagnostics;
using Tarn.Torture.Children;

namespace Tarn.Tests.Support;

/// <summary>Runs a scenario of <c>Tarn.TestChild</c> in a process of its own.</summary>
internal static class ChildProcess
{
    private const string TestChild = "Tarn.TestChild.dll";

    /// <summary>It only keeps a failing test from hanging, on a machine that does much else.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>The lines the scenario wrote; fails when it does not end, or ends badly.</summary>
    internal static string[] Run(string[] arguments, params (string Name, string? Value)[] environment)
    {
        (int exitCode, string output, string error) = RunToEnd(arguments, limits: null, environment);
        Assert.True(exitCode == 0, $"Exit code {exitCode}: {output}{error}");
        return Lines(output);
    }

    /// <summary>Returns the exit and the output of the scenario, even of a crash. Fails when the scenario does not end.</summary>
    /// <param name="arguments">The scenario and its arguments.</param>
    /// <param name="limits">A shell command that limits the resources of the process, such as <c>ulimit -v 100000</c>.</param>
    /// <param name="environment">Variables of its own; null removes one.</param>
    internal static (int ExitCode, string Output, string Error) RunToEnd(
        string[] arguments, string? limits, params (string Name, string? Value)[] environment)
    {
        using Process process = Start(arguments, limits, environment);
        return ChildProgram.WaitForEnd(process, s_limit);
    }

    /// <summary>Starts the scenario, as <see cref="RunToEnd"/> does. Both its outputs must be read.</summary>
    internal static Process Start(string[] arguments, string? limits, params (string Name, string? Value)[] environment) =>
        ChildProgram.Start(TestChild, arguments, limits, environment);

    internal static string[] Lines(string output) => ChildProgram.Lines(output);
}
