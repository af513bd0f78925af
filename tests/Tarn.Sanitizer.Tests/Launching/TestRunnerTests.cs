using Tarn.Analyzers.Tests.Install;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;

namespace Tarn.Sanitizing.Tests.Launching;

/// <summary>The runners of tests start their hosts in ways of their own.</summary>
public class TestRunnerTests
{
    private const string Source =
        """
        using System;
        using System.Buffers;
        using Xunit;

        public class PoolTests
        {
            [Fact]
            public void Asks()
            {
                int asked = 0;
                AppContext.SetData("Tarn.PoolHook", (Func<object, Type, object>)((_, _) =>
                {
                    asked++;
                    return null;
                }));
                ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(100));
                Assert.Equal(2, asked);
            }
        }
        """;

    [SkippableTheory]
    [InlineData(
        "",
        """
        <PackageReference Include="Microsoft.NET.Test.Sdk" Version="18.11.0" />
        <PackageReference Include="xunit" Version="2.9.3" />
        <PackageReference Include="xunit.runner.visualstudio" Version="4.0.1" />
        """,
        "VSTest")]
    [InlineData(
        "<OutputType>Exe</OutputType><UseMicrosoftTestingPlatformRunner>true</UseMicrosoftTestingPlatformRunner>",
        """<PackageReference Include="xunit.v3.mtp-v2" Version="3.2.2" />""",
        "Microsoft.Testing.Platform")]
    public void Tests_run_on_pools_that_ask(string properties, string packages, string runner)
    {
        Skip.IfNot(StressLength.IsLong, "each takes a build; the long form does it");
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.File("PoolTests.cs"), Source);
        File.WriteAllText(folder.File("global.json"), $$"""{ "test": { "runner": "{{runner}}" } }""");
        File.WriteAllText(
            folder.File("Tests.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFramework>net10.0</TargetFramework>{properties}</PropertyGroup>
              <ItemGroup>{packages}</ItemGroup>
            </Project>
            """);
        DotnetRun restore = DotnetRun.Start(folder.Path, packages: null, "restore");
        Skip.If(restore.ExitCode != 0, $"the packages are not to be had here: {restore.Output}");
        System.Diagnostics.ProcessStartInfo start = SanitizedRun.StartTool("sanitize", "--", "dotnet", "test", "--no-restore");
        start.WorkingDirectory = folder.Path;
        foreach (string name in start.Environment.Keys.ToArray())
        {
            // Of the build that runs this test.
            if (name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase))
            {
                _ = start.Environment.Remove(name);
            }
        }

        SanitizedRun run = SanitizedRun.Run(start, "");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.DoesNotContain("not checked", run.Error, StringComparison.Ordinal);
    }
}
