using Tarn.Analyzers.Tests.Install;
using Tarn.Lab.Tests;

namespace Tarn.Tool.Tests.Programs;

/// <summary>A program that a test writes and builds outside the repository, as its author would. Gone with the test.</summary>
internal sealed class WrittenProgram : IDisposable
{
    private readonly TemporaryDirectory _folder = new();

    /// <param name="sdk">The SDK of its project.</param>
    /// <param name="properties">The properties of its project besides those of every program.</param>
    /// <param name="items">The items of its project.</param>
    /// <param name="source">Its Program.cs.</param>
    public WrittenProgram(string sdk, string properties, string items, string source)
    {
        File.WriteAllText(
            _folder.File("App.csproj"),
            $"""
            <Project Sdk="{sdk}">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <InvariantGlobalization>true</InvariantGlobalization>
                <RunAnalyzers>false</RunAnalyzers>
                <NuGetAudit>false</NuGetAudit>
                <OutputPath>out/</OutputPath>
                <AppendTargetFrameworkToOutputPath>false</AppendTargetFrameworkToOutputPath>
                <AppendRuntimeIdentifierToOutputPath>false</AppendRuntimeIdentifierToOutputPath>
                {properties}
              </PropertyGroup>
              <ItemGroup>{items}</ItemGroup>
            </Project>
            """);
        File.WriteAllText(Source, source);
    }

    /// <summary>Where it is.</summary>
    public string Folder => _folder.Path;

    /// <summary>Its only source.</summary>
    public string Source => _folder.File("Program.cs");

    /// <summary>What it is built to.</summary>
    public string Assembly => Path.Combine(Folder, "out", "App.dll");

    /// <summary>The file that starts a program that brings its runtime.</summary>
    public string Executable => Path.Combine(Folder, "out", "App");

    /// <summary>The line of its source that ends with a mark.</summary>
    public int LineOf(string mark) =>
        1 + Array.FindIndex(File.ReadAllLines(Source), line => line.EndsWith($"// {mark}", StringComparison.Ordinal));

    /// <summary>Skips the test where the packages are not to be had, and fails it where the program does not compile.</summary>
    public void Build() => Run("build");

    /// <summary>As <see cref="Build"/>, into a folder of its own.</summary>
    public void Publish(string folder) => Run("publish", "-o", folder);

    private void Run(string command, params string[] arguments)
    {
        DotnetRun run = DotnetRun.Start(Folder, packages: null, [command, "-c", "Release", .. arguments]);
        Skip.If(run.Output.Contains(": error NU", StringComparison.Ordinal), $"the packages are not to be had here: {run.Output}");
        Assert.True(run.ExitCode == 0, run.Output);
    }

    public void Dispose() => _folder.Dispose();
}
