namespace Tarn.Analyzers.Tests.Install;

/// <summary>A project that a template makes.</summary>
internal sealed class MadeProject(string folder, string packages)
{
    private string Program => Path.Combine(folder, "bin", "Debug", "net10.0", "Made.dll");

    /// <summary>A command of the SDK, which must succeed.</summary>
    internal void Do(params string[] arguments)
    {
        DotnetRun run = DotnetRun.Start(Path.GetDirectoryName(folder)!, packages, arguments);
        Assert.True(run.ExitCode == 0, $"{string.Join(' ', arguments)}\n{run.Output}");
    }

    /// <summary>Runs the built program to its end.</summary>
    internal DotnetRun Run(params string[] arguments) => DotnetRun.Start(folder, packages, [Program, .. arguments]);

    /// <summary>Starts the built program.</summary>
    internal RunningProgram Start(params string[] arguments) => new(folder, [Program, .. arguments]);
}
