using Tarn.Analyzers.Tests.Install;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;

namespace Tarn.Sanitizing.Tests.Grafting;

/// <summary>A published runtime for one kind of machine.</summary>
/// <param name="Identifier">The kind of machine, as in <c>linux-x64</c>.</param>
/// <param name="Version">The version of .NET.</param>
internal sealed record RuntimePack(string Identifier, string Version)
{
    private static string Packages { get; } = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private string Id => $"Microsoft.NETCore.App.Runtime.{Identifier}";

    /// <summary>Its CoreLib. The test is skipped where the pack is not to be had, and in the short form.</summary>
    public string FindCoreLib()
    {
        Skip.IfNot(StressLength.IsLong, "one framework is enough for the short form; the long form has each");
        string folder = Path.Combine(Packages, Id.ToLowerInvariant(), Version);
        if (!Directory.Exists(folder))
        {
            Fetch();
        }

        return Directory.GetFiles(folder, "System.Private.CoreLib.dll", SearchOption.AllDirectories).Single();
    }

    private void Fetch()
    {
        using var folder = new TemporaryDirectory();
        File.WriteAllText(
            folder.File("Pack.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
              <ItemGroup><PackageDownload Include="{Id}" Version="[{Version}]" /></ItemGroup>
            </Project>
            """);
        DotnetRun restore = DotnetRun.Start(folder.Path, packages: null, "restore");
        Skip.If(restore.ExitCode != 0, $"{Id} {Version} is not to be had here: {restore.Output}");
    }
}
