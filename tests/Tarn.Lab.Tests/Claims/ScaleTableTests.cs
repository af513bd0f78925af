using System.Text.Json;
using Tarn.Lab.Claims;
using Tarn.Lab.Model;
using Tarn.Lab.Report;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Claims;

public class ScaleTableTests
{
    [Fact]
    public void The_newest_run_gives_the_places_that_many_calls_visit()
    {
        using var repository = new TemporaryDirectory();
        Write(repository, "old", new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero), ["http2", "Depot", 99_000.0]);
        Write(
            repository,
            "new",
            new DateTimeOffset(2026, 2, 1, 0, 0, 0, TimeSpan.Zero),
            ["http2", "Depot", 68_334.0],
            ["http2", "ThreadRoom", 999.0]);

        Assert.Equal(
            $"\n\nCounted on 2026-02-01, on {SampleReport.Empty().Run.Machine.LogicalCores} processors:\n\n"
                + "| Load | File | Locks |\n|---|---|---|\n| http2 | Depot | 68,334 |\n",
            ScaleTable.Read(repository.Path));
    }

    [Fact]
    public void Without_a_run_it_says_so()
    {
        using var repository = new TemporaryDirectory();

        Assert.Equal("\n\nNo run is recorded.\n", ScaleTable.Read(repository.Path));
    }

    private static void Write(TemporaryDirectory repository, string folder, DateTimeOffset startedAt, params object?[][] rows)
    {
        LabReport report = SampleReport.Empty();
        report = report with
        {
            Run = report.Run with { StartedAt = startedAt },
            Sections =
            [
                new Section
                {
                    Id = "scale",
                    Title = "Scale",
                    Text = "",
                    Tables =
                    [
                        new Table
                        {
                            Id = ScaleTable.Id,
                            Title = "By place",
                            Columns =
                            [
                                new Column("Load", ColumnKind.Text),
                                new Column("File", ColumnKind.Text),
                                new Column("Locks", ColumnKind.Number),
                            ],
                            Rows = rows,
                        },
                    ],
                },
            ],
        };
        string path = Path.Combine(Directory.CreateDirectory(repository.File($"lab/results/{folder}")).FullName, ReportWriter.Results);
        File.WriteAllText(path, JsonSerializer.Serialize(report, ReportJson.Options));
    }
}
