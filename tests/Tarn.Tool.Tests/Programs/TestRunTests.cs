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
}
