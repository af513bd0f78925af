using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Programs;

/// <summary>
/// A leak of code that no one here wrote, in the version that shipped it and in one that fixed it: .NET 8 loses an array where it refuses
/// to parse a number from invalid UTF-8 (dotnet/runtime#92511).
/// </summary>
public class ShippedLeakTests
{
    private const string Source =
        """
        using System.Globalization;
        using System.Numerics;

        // 2,000 digits and a byte that UTF-8 does not have.
        byte[] text = [.. Enumerable.Repeat((byte)'1', 2_000), 0xFF];
        for (int turn = 0; turn < 1_000; turn++)
        {
            if (TryParse<BigInteger>(text))
            {
                return 1;
            }

            Thread.Sleep(1);
        }

        return 0;

        static bool TryParse<T>(ReadOnlySpan<byte> text)
            where T : INumberBase<T> =>
            T.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out _); // parses
        """;

    [SkippableFact]
    public async Task The_version_that_loses_arrays_fails_at_its_line()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "each builds a program with a released package; the long form does it");
        using WrittenProgram program = ProgramFor(
            "net8.0", "<SelfContained>true</SelfContained><UseCurrentRuntimeIdentifier>true</UseCurrentRuntimeIdentifier>");
        program.Build();

        ToolProcess check = await ToolProcess.RunAsync(program.Folder, "check", "--", program.Executable);

        Assert.True(check.ExitCode == 1, check.Error);
        Assert.StartsWith(
            string.Create(CultureInfo.InvariantCulture, $"{program.Source}({program.LineOf("parses")}): error buffer-lost: "),
            check.Output,
            StringComparison.Ordinal);
        Assert.Contains("INumberBase<BigInteger>.TryParse ← Program.Main.TryParse", check.Output, StringComparison.Ordinal);
        Assert.Single(check.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [SkippableFact]
    public async Task The_version_that_returns_them_passes()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "each builds a program with a released package; the long form does it");
        using WrittenProgram program = ProgramFor("net10.0", "<UseAppHost>false</UseAppHost>");
        program.Build();

        ToolProcess check = await ToolProcess.RunAsync(program.Folder, "check", "--", "dotnet", program.Assembly);

        Assert.True(check.ExitCode == 0, check.Output);
        Assert.Empty(check.Output);
        Assert.Contains(": 1,00", check.Error, StringComparison.Ordinal);
    }

    private static WrittenProgram ProgramFor(string framework, string properties) =>
        new("Microsoft.NET.Sdk", $"<TargetFramework>{framework}</TargetFramework>{properties}", "", Source);
}
