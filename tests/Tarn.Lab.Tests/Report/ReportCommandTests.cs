using Tarn.Lab.Report;
using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Report;

public class ReportCommandTests
{
    [Fact]
    public void A_report_is_drawn_again_from_its_results()
    {
        using var directory = new TemporaryDirectory();
        ReportWriter.WriteAll(SampleReport.Build(), directory.File("first"));

        Assert.Equal(0, LabCommand.Invoke(["report", directory.File("first/results.json"), "--out", directory.File("second")]));

        foreach (var file in (string[])["report.html", "report.md", "results.json", "pictures/comparisons.svg"])
        {
            Assert.Equal(File.ReadAllText(directory.File($"first/{file}")), File.ReadAllText(directory.File($"second/{file}")));
        }
    }

    [Fact]
    public void One_picture_shows_the_comparisons_of_several_runs()
    {
        using var directory = new TemporaryDirectory();
        ReportWriter.WriteAll(SampleReport.Build(), directory.File("a"));
        ReportWriter.WriteAll(SampleReport.Empty() with { Comparisons = [SampleReport.Compare("copy-1", 0.5)] }, directory.File("b"));
        string[] results = [directory.File("a/results.json"), directory.File("b/results.json")];

        Assert.Equal(0, LabCommand.Invoke(["report", .. results, "--strip", directory.File("new/all.svg")]));

        Assert.Equal(18, File.ReadAllText(directory.File("new/all.svg")).Split("<title>").Length - 1);
        Assert.Equal(LabCommand.Refused, LabCommand.Invoke(["report", .. results, "--out", directory.File("c")]));
        Assert.False(Directory.Exists(directory.File("c")));
    }

    [Fact]
    public void Results_that_cannot_be_drawn_are_refused()
    {
        using var directory = new TemporaryDirectory();
        ReportWriter.WriteAll(SampleReport.Empty(), directory.File("empty"));

        Assert.Equal(LabCommand.Refused, LabCommand.Invoke(["report"]));
        Assert.Equal(LabCommand.Refused, LabCommand.Invoke(["report", directory.File("no-such.json")]));
        Assert.Equal(
            LabCommand.Refused, LabCommand.Invoke(["report", directory.File("empty/results.json"), "--strip", directory.File("s.svg")]));
    }
}
