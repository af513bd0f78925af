using System.Globalization;
using System.Text.Json;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Programs;

/// <summary>
/// A program on .NET 11, whose asynchronous methods are those of the runtime: they are on the stack themselves, where else state machines
/// are. It brings its runtime, and a compiler that makes such methods.
/// </summary>
public class RuntimeAsyncTests
{
    private const string Items =
        """
        <FrameworkReference Update="Microsoft.NETCore.App" TargetingPackVersion="11.0.0" />
        <PackageReference Include="Microsoft.Net.Compilers.Toolset" Version="5.12.0" PrivateAssets="all" />
        """;

    private const string Properties =
        "<TargetFramework>net10.0</TargetFramework><RuntimeFrameworkVersion>11.0.0</RuntimeFrameworkVersion>"
        + "<SelfContained>true</SelfContained><UseCurrentRuntimeIdentifier>true</UseCurrentRuntimeIdentifier>"
        + "<LangVersion>preview</LangVersion><Features>$(Features);runtime-async=on</Features>";

    /// <summary>It runs until its methods are compiled again, optimized.</summary>
    private const string Source =
        """
        using System.Buffers;

        for (var clock = System.Diagnostics.Stopwatch.StartNew(); clock.ElapsedMilliseconds < 3_000;)
        {
            _ = await Orders.ReadAsync();
            Thread.Sleep(1);
        }

        static class Orders
        {
            public static async Task<int> ReadAsync()
            {
                int length = await FillAsync(); // fills
                await Task.Yield();
                return length;
            }

            private static async Task<int> FillAsync()
            {
                byte[] lost = ArrayPool<byte>.Shared.Rent(70_000); // rents
                await Task.Yield();
                return lost.Length;
            }
        }
        """;

    [SkippableFact]
    public async Task A_method_that_loses_buffers_is_named_with_its_line_however_it_is_compiled()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "it builds a program with another compiler and runtime; the long form does it");
        using var program = new WrittenProgram("Microsoft.NET.Sdk", Properties, Items, Source);
        program.Build();
        string line = program.LineOf("rents").ToString(CultureInfo.InvariantCulture);

        ToolProcess record = await ToolProcess.RunAsync(program.Folder, "record", "-o", "run.tarn", "--", program.Executable);
        ToolProcess report = await ToolProcess.RunAsync(program.Folder, "report", "run.tarn", "--json", "-");
        ToolProcess check = await ToolProcess.RunAsync(program.Folder, "check", "--", program.Executable);
        ToolProcess sanitize = await ToolProcess.RunAsync(program.Folder, "sanitize", "--", program.Executable);

        Assert.True((record.ExitCode, report.ExitCode) == (0, 0), record.Error + report.Error);
        using JsonDocument json = JsonDocument.Parse(report.Output);
        Assert.StartsWith(".NET 11.", json.RootElement.GetProperty("runtime").GetString(), StringComparison.Ordinal);
        Assert.Equal(
            ["Orders.FillAsync", "Orders.ReadAsync"],
            json.RootElement.GetProperty("lost").EnumerateArray()
                .SelectMany(site => site.GetProperty("frames").EnumerateArray().Take(2))
                .Select(frame => frame.GetProperty("method").GetString()).Distinct());
        Assert.True(check.ExitCode == 1, check.Error);
        Assert.StartsWith(
            $"{program.Source}({line}): error buffer-lost: Orders.FillAsync in Program.cs:{line} rents buffers that do not come back",
            check.Output,
            StringComparison.Ordinal);
        Assert.True(sanitize.ExitCode == 1, sanitize.Error);
        Assert.Contains($"at Orders.FillAsync in Program.cs:{line}", sanitize.Error, StringComparison.Ordinal);
        Assert.Contains($"at Orders.ReadAsync in Program.cs:{program.LineOf("fills")}", sanitize.Error, StringComparison.Ordinal);
    }
}
