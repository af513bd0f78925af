using Tarn.Lab.Tests;
using Tarn.Sanitizing.Launching;
using Tarn.Tool.Sanitizing;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary>What <c>tarn sanitize</c> says when nothing was checked, or not all that was found is known.</summary>
public class UncheckedProgramTests
{
    [Theory]
    [InlineData("dotnet watch", "Add --no-hot-reload.")]
    [InlineData("dotnet watch run --project app", "Add --no-hot-reload.")]
    [InlineData("dotnet watch --no-hot-reload", "started no process on .NET 8 or later")]
    [InlineData("dotnet run", "started no process on .NET 8 or later")]
    [InlineData("no-such-program watch", "started no process on .NET 8 or later")]
    public void The_likely_reason_is_named(string program, string reason) =>
        Assert.Contains(reason, UncheckedProgram.Explain(program.Split(' ')), StringComparison.Ordinal);

    [Fact]
    public void Processes_that_could_not_write_are_named_with_the_folder_and_the_way_out()
    {
        using var reports = new TemporaryDirectory();
        Assert.Null(UncheckedProgram.ExplainLoss(reports.Path));
        ReportLoss.Note(reports.Path);
        Assert.Equal(
            $"1 process ({Environment.ProcessId}) could not write all that was found to {reports.Path}, so this is no verdict. Its disk is "
            + "full: set TMPDIR (TMP on Windows) to another.",
            UncheckedProgram.ExplainLoss(reports.Path));
    }
}
