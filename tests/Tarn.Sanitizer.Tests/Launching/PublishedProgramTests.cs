using System.Runtime.InteropServices;
using Tarn.Analyzers.Tests.Install;
using Tarn.Lab.Tests;
using Tarn.Sanitizing.Tests.Grafting;
using Tarn.Tests.Support;

namespace Tarn.Sanitizing.Tests.Launching;

/// <summary>The child program, published in each way, for each version of .NET.</summary>
public class PublishedProgramTests
{
    private const string SelfContained = "<SelfContained>true</SelfContained>";
    private const string Compiled = "<PublishReadyToRun>true</PublishReadyToRun>";
    private const string SingleFile = "<PublishSingleFile>true</PublishSingleFile>";

    [SkippableTheory]
    [InlineData("8.0.34", SelfContained)]
    [InlineData("9.0.23", SelfContained)]
    [InlineData("10.0.12", SelfContained)]
    [InlineData("11.0.0", SelfContained)]
    [InlineData("11.0.0", SelfContained + Compiled)]
    [InlineData("10.0.12", SelfContained + Compiled)]
    [InlineData("10.0.12", SelfContained + Compiled + "<PublishReadyToRunComposite>true</PublishReadyToRunComposite>")]
    [InlineData("10.0.12", "<SelfContained>false</SelfContained>" + SingleFile)]
    [InlineData("10.0.12", "<SelfContained>false</SelfContained>" + Compiled)]
    public void It_runs_on_pools_that_ask(string version, string properties)
    {
        using var folder = new TemporaryDirectory();
        string program = Publish(folder, version, properties);

        SanitizedRun run = SanitizedRun.Program(program, "facts", "a b");

        Assert.Equal(("2,2,2,2", "facts|a b"), (run["asked"], run["arguments"]));
        Assert.Equal(0, run.ExitCode);
        Assert.DoesNotContain("not checked", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("variable=TARN", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("variable=DOTNET_ReadyToRun", run.Output, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData(SelfContained + SingleFile, "a single file that brings its own framework")]
    [InlineData(SelfContained + "<PublishTrimmed>true</PublishTrimmed>", "sets System.StartupHookProvider.IsSupported to false")]
    public void What_cannot_be_checked_runs_and_is_named(string properties, string reason)
    {
        using var folder = new TemporaryDirectory();
        string program = Publish(folder, "10.0.12", properties);

        SanitizedRun run = SanitizedRun.Program(program, "facts");

        Assert.Equal(("0,0,0,0", 2), (run["asked"], run.ExitCode));
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
    }

    /// <summary>The slower way: a CoreLib of instructions only.</summary>
    [SkippableFact]
    public void Code_of_an_unknown_version_costs_only_time()
    {
        using var folder = new TemporaryDirectory();
        string program = Publish(folder, "10.0.12", SelfContained);
        string coreLib = Path.Combine(Path.GetDirectoryName(program)!, "System.Private.CoreLib.dll");
        byte[] image = File.ReadAllBytes(coreLib);
        CoreLibGraftTests.SetMajor(image, 99);
        File.WriteAllBytes(coreLib, image);

        SanitizedRun run = SanitizedRun.Program(program, "facts");

        Assert.Equal("2,2,2,2", run["asked"]);
    }

    private static string Publish(TemporaryDirectory folder, string version, string properties)
    {
        Skip.IfNot(StressLength.IsLong, "each takes a publication; the long form does it");
        string project = folder.File("App.csproj");
        File.Copy(
            Path.Combine(FindSources(), "Program.cs"),
            folder.File("Program.cs"));
        File.WriteAllText(
            project,
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net{Math.Min(10, new Version(version).Major)}.0</TargetFramework>
                <RuntimeFrameworkVersion>{version}</RuntimeFrameworkVersion>
                <RuntimeIdentifier>{Identifier}</RuntimeIdentifier>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <LangVersion>latest</LangVersion>
                <InvariantGlobalization>true</InvariantGlobalization>
                {properties}
              </PropertyGroup>
            </Project>
            """);
        DotnetRun restore = DotnetRun.Start(folder.Path, packages: null, "restore");
        Skip.If(restore.ExitCode != 0, $"the packages are not to be had here: {restore.Output}");
        DotnetRun publish = DotnetRun.Start(folder.Path, packages: null, "publish", "-c", "Release", "-o", folder.File("out"));
        Assert.True(publish.ExitCode == 0, publish.Output);
        return Path.Combine(folder.File("out"), OperatingSystem.IsWindows() ? "App.exe" : "App");
    }

    private static string Identifier =>
        (OperatingSystem.IsWindows() ? "win" : OperatingSystem.IsMacOS() ? "osx" : "linux")
        + $"-{RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}";

    private static string FindSources()
    {
        string? folder = Path.GetDirectoryName(SanitizedRun.Child);
        while (!File.Exists(Path.Combine(folder!, "Program.cs")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder!;
    }
}
