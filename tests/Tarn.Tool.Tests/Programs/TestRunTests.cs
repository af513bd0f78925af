using System.Text.Json;
using System.Xml.Linq;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Programs;

/// <summary>Tests that others run: <c>dotnet test</c> under <c>tarn check</c>.</summary>
public class TestRunTests
{
    private const string Packages =
        """
        <PackageReference Include="Microsoft.NET.Test.Sdk" Version="18.11.0" />
        <PackageReference Include="xunit" Version="2.9.3" />
        <PackageReference Include="xunit.runner.visualstudio" Version="4.0.1" />
        """;

    private const string Source =
        """
        using System.Buffers;
        using System.Diagnostics;
        using System.Runtime.CompilerServices;
        using Xunit;

        namespace Uploads;

        public class ReaderTests
        {
            [Fact]
            public void Reads()
            {
                var watch = Stopwatch.StartNew();
                while (watch.ElapsedMilliseconds < 2_500)
                {
                    Reader.Lose();
                    Thread.Sleep(5);
                }
            }

            [Theory]
            [InlineData(1)]
            public async Task Waits(int step)
            {
                var watch = Stopwatch.StartNew();
                while (watch.ElapsedMilliseconds < 2_500)
                {
                    await Task.Delay(5 * step);
                    Action lose = () => Reader.Lose();
                    lose();
                }
            }
        }

        public static class Reader
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            public static void Lose() => _ = ArrayPool<byte>.Shared.Rent(3_000);
        }
        """;

    [SkippableFact]
    public async Task A_loss_has_the_names_of_the_tests_it_happened_in()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "it builds a project of tests; the long form does it");
        using var program = new WrittenProgram(
            "Microsoft.NET.Sdk", "<TargetFramework>net10.0</TargetFramework><OutputType>Library</OutputType>", Packages, Source);
        program.Build();

        ToolProcess check = await ToolProcess.RunAsync(
            program.Folder, "check", "--tests", "--sarif", "a.sarif", "--junit", "a.xml", "--", "dotnet", "vstest", program.Assembly);

        Assert.True(check.ExitCode == 1, check.Output + check.Error);
        string[] found =
        [
            .. check.Output.Split('\n').Where(
                line => line.Contains(": error buffer-lost: Uploads.Reader.Lose", StringComparison.Ordinal)),
        ];
        Assert.NotEmpty(found);
        Assert.All(found, line => Assert.Matches(@"Program\.cs\(\d+\): .* In Uploads\.ReaderTests\.\w+ \(\d+\)", line));
        string[] tests = ["Uploads.ReaderTests.Reads", "Uploads.ReaderTests.Waits"];
        using JsonDocument sarif = JsonDocument.Parse(await File.ReadAllTextAsync(Path.Combine(program.Folder, "a.sarif")));
        string[] inSarif =
        [
            .. sarif.RootElement.GetProperty("runs")[0].GetProperty("results").EnumerateArray()
                .SelectMany(result => result.GetProperty("properties").GetProperty("tests").EnumerateArray())
                .Select(one => one.GetString()!),
        ];
        string[] inJUnit =
        [
            .. XDocument.Load(Path.Combine(program.Folder, "a.xml")).Descendants("property").Select(one => one.Attribute("value")!.Value),
        ];
        Assert.NotEmpty(inJUnit);
        Assert.All(inJUnit.Concat(inSarif), test => Assert.Contains(test, tests));
        Assert.Subset(inSarif.ToHashSet(), inJUnit.ToHashSet());
    }
    private const string CleanTest =
        """
        using System.Buffers;

        namespace Uploads;

        CLASS
        public class CleanTests
        {
            TEST
            public async Task Returns()
            {
                for (int i = 0; i < 50; i++)
                {
                    byte[] buffer = ArrayPool<byte>.Shared.Rent(1_000);
                    await Task.Delay(2);
                    ArrayPool<byte>.Shared.Return(buffer);
                }
            }
        }
        """;

    private static readonly Dictionary<string, (string Packages, string Class, string Test)> s_frameworks = new()
    {
        ["xunit"] = (Packages, "", "[Xunit.Fact]"),
        ["NUnit"] = (
            """
            <PackageReference Include="Microsoft.NET.Test.Sdk" Version="18.11.0" />
            <PackageReference Include="NUnit" Version="5.0.0" />
            <PackageReference Include="NUnit3TestAdapter" Version="6.3.1" />
            """,
            "",
            "[NUnit.Framework.Test]"),
        ["MSTest"] = (
            """
            <PackageReference Include="Microsoft.NET.Test.Sdk" Version="18.11.0" />
            <PackageReference Include="MSTest.TestFramework" Version="4.5.3" />
            <PackageReference Include="MSTest.TestAdapter" Version="4.5.3" />
            """,
            "[Microsoft.VisualStudio.TestTools.UnitTesting.TestClass]",
            "[Microsoft.VisualStudio.TestTools.UnitTesting.TestMethod]"),
    };

    public static TheoryData<string> Frameworks => [.. s_frameworks.Keys];

    /// <summary>The SDK has processes of its own in each run of tests, which rent as they like.</summary>
    [SkippableTheory]
    [MemberData(nameof(Frameworks))]
    public async Task A_clean_project_passes_each_time_and_its_host_can_be_asked_for(string framework)
    {
        const int Runs = 5;
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "it builds a project of tests; the long form does it");
        (string packages, string @class, string test) = s_frameworks[framework];
        using var program = new WrittenProgram(
            "Microsoft.NET.Sdk",
            "<TargetFramework>net10.0</TargetFramework><OutputType>Library</OutputType>",
            packages,
            CleanTest.Replace("CLASS", @class, StringComparison.Ordinal).Replace("TEST", test, StringComparison.Ordinal));
        program.Build();
        string[] command = ["--", "dotnet", "test", "-c", "Release", "--no-build"];
        for (int run = 0; run < Runs; run++)
        {
            ToolProcess check = await ToolProcess.RunAsync(program.Folder, ["check", .. command]);
            Assert.True(check.ExitCode == 0, check.Output + check.Error);
            Assert.Contains("tarn: no buffer was lost or returned twice beyond the baseline.", check.Error, StringComparison.Ordinal);
        }

        // The name of the host, and the project's, which only the host's options have.
        foreach (string part in (string[])["testhost", "App.deps.json"])
        {
            ToolProcess asked = await ToolProcess.RunAsync(program.Folder, ["check", "--process", part, .. command]);
            Assert.True(asked.ExitCode == 0, asked.Output + asked.Error);
            ToolProcess sanitized = await ToolProcess.RunAsync(program.Folder, ["sanitize", "--process", part, .. command]);
            Assert.True(sanitized.ExitCode == 0, sanitized.Output + sanitized.Error);
            Assert.Contains("of 1 process checked", sanitized.Error, StringComparison.Ordinal);
        }
    }
}
