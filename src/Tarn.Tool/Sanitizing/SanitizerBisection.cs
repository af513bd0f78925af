using System.CommandLine;

namespace Tarn.Tool.Sanitizing;

/// <summary><c>--bisect</c>: runs the program until the place is found whose poisoned buffers make it fail.</summary>
internal static class SanitizerBisection
{
    private const string TieringVariable = "DOTNET_TieredCompilation";

    public static Option<bool> Asked { get; } = new("--bisect")
    {
        Description = "For a program, such as one test, that fails only under tarn sanitize: run it several times and name the place whose "
            + "buffers it reads after their return.",
    };

    /// <summary>Returns the exit code.</summary>
    public static int Run(string[] program, string options)
    {
        // Code that is compiled once has the same methods inlined in each run, so a place keeps its name.
        if (Environment.GetEnvironmentVariable(TieringVariable) is null)
        {
            Environment.SetEnvironmentVariable(TieringVariable, "0");
        }

        return new Bisection(part => RunOnce(program, options, part), static text => Console.Error.WriteLine($"tarn: {text}")).Find();
    }

    private static BisectedRun RunOnce(string[] program, string options, string part)
    {
        using var folders = new SanitizerFolders();
        (int exitCode, _) = SanitizedProgram.Run(
            program, $"{options}:{part}:stacks=full:sites=on:lost=off:halt=off".TrimStart(':'), folders);
        if (UncheckedProgram.ExplainLoss(folders.Reports) is { } loss)
        {
            throw new InvalidDataException(loss);
        }

        IReadOnlyList<ReportedProcess> processes = ReportedProcess.ReadAll(folders.Reports);
        return new BisectedRun(exitCode != 0, [.. processes.SelectMany(process => process.Sites).Distinct()]);
    }
}
