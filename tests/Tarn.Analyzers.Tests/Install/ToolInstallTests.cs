using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The tool installed from its package, as a user installs it.</summary>
[Collection(nameof(PackedFeed))]
public sealed class ToolInstallTests(PackedFeed feed)
{
    [LongFact]
    public void The_tool_installs_and_lists_processes()
    {
        string folder = feed.CreateFolder();
        string packages = Path.Combine(folder, "packages");
        string configuration = Path.Combine(folder, "NuGet.Config");
        File.WriteAllText(
            configuration,
            $"""
            <configuration>
              <packageSources>
                <clear />
                <add key="packed" value="{feed.Folder}" />
              </packageSources>
            </configuration>
            """);

        DotnetRun install = DotnetRun.Start(
            folder,
            packages,
            "tool", "install", "Tarn.Tool", "--tool-path", "tools", "--configfile", configuration, "--prerelease");
        Assert.True(install.ExitCode == 0, install.Output);
        Assert.NotEmpty(Directory.GetFiles(Path.Combine(folder, "tools"), "tarn*"));
        string tool = Assert.Single(Directory.GetFiles(Path.Combine(folder, "tools"), "Tarn.Tool.dll", SearchOption.AllDirectories));
        DotnetRun ps = DotnetRun.Start(folder, packages, tool, "ps");

        Assert.Equal(0, ps.ExitCode);
        // The process of this test is one of those that can be attached to.
        Assert.Contains($"{Environment.ProcessId}\t.NET", ps.Output, StringComparison.Ordinal);
    }
}
