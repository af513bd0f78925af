using Tarn.Lab.Tests;
using Tarn.Sanitizing.Checking.Reporting;
using Tarn.Sanitizing.Launching;

namespace Tarn.Sanitizing.Tests.Checking;

/// <summary>What a process cannot write for want of room is noted, so that nobody calls the process faultless.</summary>
public sealed class FullDiskTests : IDisposable
{
    /// <summary>A file whose every write fails as on a full disk.</summary>
    private const string Full = "/dev/full";

    private readonly TemporaryDirectory _reports = new();

    public void Dispose() => _reports.Dispose();

    [SkippableFact]
    public void A_report_notes_once_that_lines_are_lost()
    {
        Skip.IfNot(File.Exists(Full));
        using FileStream file = new(Full, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        ReportFile report = new(file, _reports.Path);
        Assert.Empty(ReportLoss.Read(_reports.Path));
        report.Write(new JsonLine("start"));
        report.Write(new JsonLine("end"));
        Assert.Equal([Environment.ProcessId], ReportLoss.Read(_reports.Path));
    }

    [Fact]
    public void A_folder_that_is_gone_ends_no_program()
    {
        string gone = Path.Combine(_reports.Path, "gone");
        ReportLoss.Note(gone);
        Assert.False(Directory.Exists(gone));
    }

    [SkippableFact]
    public void A_start_that_cannot_be_written_throws_what_the_launch_notes()
    {
        Skip.IfNot(File.Exists(Full));
        File.CreateSymbolicLink(Path.Combine(_reports.Path, $"{Environment.ProcessId}.launch"), Full);
        Assert.ThrowsAny<IOException>(() => LaunchLog.Write(_reports.Path, null));
    }
}
