using System.Text.Json;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Tests.Report;

public class ReportFilesTests
{
    [Fact]
    public void Writes_a_page_the_results_markdown_one_csv_a_table_and_one_svg_a_picture()
    {
        using var directory = new TemporaryDirectory();

        var report = SampleReport.Build();
        var files = ReportWriter.WriteAll(report, directory.File("new/deep"));

        IEnumerable<string> pictures =
            report.Sections.SelectMany(s => s.Charts).Where(c => !SvgPicture.IsEmpty(c)).Select(c => $"pictures/{c.Id}.svg");
        Assert.Contains("pictures/allocation.svg", pictures);
        Assert.Equal(
            [
                "report.html", "results.json", "report.md", "csv/comparisons.csv", "csv/allocation.csv", "csv/large-arrays.csv",
                "csv/threads.csv", "csv/odd.csv", "pictures/comparisons.svg", .. pictures,
            ],
            files.Select(f => Path.GetRelativePath(directory.File("new/deep"), f).Replace('\\', '/')));
        Assert.All(files, f => Assert.True(new FileInfo(f).Length > 0, f));
    }

    [Fact]
    public void Ids_that_are_no_file_names_or_not_unique_lose_no_table()
    {
        using var directory = new TemporaryDirectory();
        Table Named(string id) => new() { Id = id, Title = id, Columns = [new("c", ColumnKind.Text)], Rows = [[id]] };
        var section = new Section
        {
            Id = "s",
            Title = "s",
            Text = "",
            Tables = [Named("../../a"), Named("comparisons"), Named("same"), Named("same")],
        };

        var files = ReportWriter.WriteAll(SampleReport.Empty() with { Sections = [section] }, directory.Path);

        Assert.Equal(["comparisons", "------a", "comparisons-2", "same", "same-2"], files.Skip(3).Select(Path.GetFileNameWithoutExtension));
        Assert.All(files, f => Assert.StartsWith(directory.Path, Path.GetFullPath(f), StringComparison.Ordinal));
    }

    [Fact]
    public void A_written_report_is_read_back_completely()
    {
        using var directory = new TemporaryDirectory();
        var report = SampleReport.Build();
        ReportWriter.WriteAll(report, directory.Path);

        var read = ReportReader.Read(directory.File("results.json"));

        Assert.Equal(JsonSerializer.Serialize(report, ReportJson.Options), JsonSerializer.Serialize(read, ReportJson.Options));
        Assert.Equal(report.Comparisons, read.Comparisons);
        Assert.Equal(report.Changes, read.Changes);
        Assert.Equal(report.Run.Machine, read.Run.Machine);
        Assert.Equal(report.Run.StartedAt, read.Run.StartedAt);
        Assert.Equal(report.Sections[0].Charts[0].Series[2].Points, read.Sections[0].Charts[0].Series[2].Points);
        for (var table = 0; table < 4; table++)
        {
            var (before, after) =
                (report.Sections.SelectMany(s => s.Tables).ElementAt(table), read.Sections.SelectMany(s => s.Tables).ElementAt(table));
            for (var row = 0; row < before.Rows.Count; row++)
            {
                Assert.Equal(before.Rows[row], after.Rows[row]);
            }
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[1, 2]")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("{\"formatVersion\": \"one\"}")]
    [InlineData("{\"formatVersion\": 1}")]
    [InlineData("{\"formatVersion\": 1, \"run\": null}")]
    public void A_broken_file_is_named_in_the_exception(string text)
    {
        using var directory = new TemporaryDirectory();
        File.WriteAllText(directory.File("broken.json"), text);

        var thrown = Assert.Throws<InvalidDataException>(() => ReportReader.Read(directory.File("broken.json")));

        Assert.Contains("broken.json", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_format_version_is_refused_by_number_even_where_nothing_else_fits()
    {
        using var directory = new TemporaryDirectory();
        File.WriteAllText(directory.File("newer.json"), """{"formatVersion": 7, "run": "elsewhere"}""");

        var thrown = Assert.Throws<InvalidDataException>(() => ReportReader.Read(directory.File("newer.json")));

        Assert.Contains("format version 7; this lab reads version 1", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_version_written_is_the_version_read() =>
        Assert.Equal(ReportReader.SupportedVersion, SampleReport.Empty().FormatVersion);
}
