using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The attributes of Tarn.Testing in test projects of each framework: one test that returns, and one that does not.</summary>
[Collection(nameof(PackedFeed))]
public sealed class TestingInstallTests(PackedFeed feed)
{
    private const string XunitTests =
        """
        using System.Buffers;
        using Tarn.Testing;
        using Xunit;

        public class BufferTests
        {
            [Fact, AssertBuffersReturned]
            public void Returns() => ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(100));

            [Fact, AssertBuffersReturned]
            public void Loses() => ArrayPool<byte>.Shared.Rent(100);

            [Theory, AssertBuffersReturned]
            [InlineData(1), InlineData(2)]
            public async Task ReturnsLater(int number)
            {
                byte[] array = ArrayPool<byte>.Shared.Rent(number);
                await Task.Yield();
                ArrayPool<byte>.Shared.Return(array);
            }

            [Fact, AssertBuffersReturned(WaitMilliseconds = 60_000)]
            public void ReturnsAfterItsEnd()
            {
                byte[] array = ArrayPool<byte>.Shared.Rent(100);
                _ = Task.Delay(200).ContinueWith(_ => ArrayPool<byte>.Shared.Return(array), TaskScheduler.Default);
            }
        }
        """;

    private static readonly string s_nunitTests = XunitTests
        .Replace("using Xunit;", "using NUnit.Framework;", StringComparison.Ordinal)
        .Replace("[Fact, ", "[Test, ", StringComparison.Ordinal)
        .Replace("[Theory, AssertBuffersReturned]", "[AssertBuffersReturned]", StringComparison.Ordinal)
        .Replace("[InlineData(1), InlineData(2)]", "[TestCase(1), TestCase(2)]", StringComparison.Ordinal);

    private static readonly string s_mstestTests = XunitTests
        .Replace("using Xunit;", "using Microsoft.VisualStudio.TestTools.UnitTesting;", StringComparison.Ordinal)
        .Replace("public class", "[TestClass] public class", StringComparison.Ordinal)
        .Replace("[Fact, ", "[", StringComparison.Ordinal)
        .Replace("[Theory, AssertBuffersReturned]", "[AssertBuffersReturned]", StringComparison.Ordinal)
        .Replace("[InlineData(1), InlineData(2)]", "[DataRow(1), DataRow(2)]", StringComparison.Ordinal);

    private static readonly Dictionary<string, Framework> s_frameworks = new()
    {
        ["xunit"] = new(Sdk + Reference("xunit", "2.9.3") + Reference("xunit.runner.visualstudio", "4.0.1"), XunitTests),
        ["xunit.v3 of 2025"] = new(Sdk + Reference("xunit.v3", "3.2.2") + Reference("xunit.runner.visualstudio", "3.1.5"), XunitTests),
        ["xunit.v3"] = new(Reference("xunit.v3", "4.0.2"), XunitTests, RunsItself: true),
        ["NUnit"] = new(Sdk + Reference("NUnit", "5.0.0") + Reference("NUnit3TestAdapter", "6.3.1"), s_nunitTests),
        ["MSTest"] = new(Sdk + Reference("MSTest.TestFramework", "4.5.3") + Reference("MSTest.TestAdapter", "4.5.3"), s_mstestTests),
    };

    public static TheoryData<string> Frameworks => [.. s_frameworks.Keys];

    [LongTheory]
    [MemberData(nameof(Frameworks))]
    public void The_test_that_loses_a_buffer_fails_and_no_other(string framework)
    {
        string folder = feed.CreateFolder();
        string project = Path.Combine(folder, "Made");
        Directory.CreateDirectory(project);
        Framework with = s_frameworks[framework];
        File.WriteAllText(
            Path.Combine(project, "Made.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <OutputType>Exe</OutputType>
                <GenerateProgramFile Condition="{framework.StartsWith("xunit.v3", StringComparison.Ordinal)}">false</GenerateProgramFile>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <NoWarn>$(NoWarn);xUnit1051</NoWarn>
              </PropertyGroup>
              <ItemGroup>
                {with.Packages}{Reference("Tarn.Testing", "0.1.0")}
              </ItemGroup>
            </Project>
            """);
        File.WriteAllText(Path.Combine(project, "BufferTests.cs"), with.Tests);
        File.WriteAllText(Path.Combine(project, "Directory.Build.props"), "<Project />");
        File.WriteAllText(Path.Combine(project, "Directory.Packages.props"), "<Project />");

        DotnetRun run = DotnetRun.Start(
            project,
            Path.Combine(folder, "packages"),
            [.. (string[])(with.RunsItself ? ["run"] : ["test", "-nologo"]), $"-p:RestoreAdditionalProjectSources={feed.Folder}"]);
        Assert.True(run.ExitCode == 1, run.Output);
        string summary = with.RunsItself ? "Total: 5, Errors: 0, Failed: 1, Skipped: 0" : "Failed:     1, Passed:     4";
        Assert.True(run.Output.Contains(summary, StringComparison.Ordinal), run.Output);
        string failed = with.RunsItself ? "Loses [FAIL]" : "Failed Loses";
        Assert.Contains(failed, run.Output.Replace("BufferTests.", "", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Contains("an array of 128 elements of ArrayPool<T>.Shared, rented at", run.Output, StringComparison.Ordinal);
        Assert.Contains("at BufferTests.Loses in ", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("at System.Reflection.MethodBaseInvoker", RentedIn(run.Output), StringComparison.Ordinal);
    }

    /// <summary>The stack of the rent, which ends before that of the failure.</summary>
    private static string RentedIn(string output)
    {
        string stack = output[output.IndexOf("rented at", StringComparison.Ordinal)..];
        return stack[..stack.IndexOf("Stack Trace:", StringComparison.Ordinal)];
    }

    private static string Sdk => Reference("Microsoft.NET.Test.Sdk", "18.11.0");

    private static string Reference(string package, string version) =>
        $"<PackageReference Include=\"{package}\" Version=\"{version}\" />";

    /// <param name="Packages">The references of the framework's packages.</param>
    /// <param name="Tests">The source of the tests.</param>
    /// <param name="RunsItself">Whether <c>dotnet run</c> runs the tests; <c>dotnet test</c> wants another configuration there.</param>
    private sealed record Framework(string Packages, string Tests, bool RunsItself = false);
}
