using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

public class IncidentConsoleTests
{
    private readonly List<string> _lines = [];
    private readonly IncidentConsole _console;

    public IncidentConsoleTests()
    {
        _console = new IncidentConsole(_lines.Add);
    }

    [Fact]
    public void A_summary_is_written_only_if_it_adds_something()
    {
        BufferIncident incident = new(BufferIncidentKind.Leak, "a", 1);
        _console.Write(incident);
        _console.WriteSummary([incident], 1);
        Assert.Equal([incident.ToString()], _lines);

        _console.WriteSummary([incident.With(count: 2)], 2);
        _console.WriteSummary([incident.With(count: 2)], 2);
        Assert.Equal(
            [
                incident.ToString(),
                $"2 incidents, 1 groups of one kind, source and place{Environment.NewLine}2 × Leak of a buffer of a",
            ],
            _lines);

        _console.WriteSummary([incident.With(count: 3)], 3);
        Assert.Equal(3, _lines.Count);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1000)]
    public void A_process_with_checks_from_the_environment_reports_each_place_once_with_its_count(int misuses)
    {
        (int exitCode, _, string error) =
            ChildProcess.RunToEnd(["repeated", $"{misuses}"], limits: null, (BufferChecksEnvironment.Variable, "all"));

        Assert.Equal(0, exitCode);
        string[] lines = ChildProcess.Lines(error);
        Assert.Equal("Tarn: DoubleReturn of a buffer of repeated, 112 bytes", lines[0]);
        Assert.Equal(misuses > 1 ? 2 : 1, lines.Count(static line => line.StartsWith("Tarn: ", StringComparison.Ordinal)));
        Assert.Equal(
            misuses > 1 ? ["1000 × DoubleReturn of a buffer of repeated"] : [],
            lines.Where(static line => line.Contains('×', StringComparison.Ordinal)));
        Assert.True(lines.Length < 30, error);
    }

    [Theory]
    [InlineData("all", true)]
    [InlineData("none", false)]
    public void A_process_that_listens_or_does_not_ask_for_checks_writes_nothing(string checks, bool listens)
    {
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["repeated", "100", $"{listens}"], limits: null, (BufferChecksEnvironment.Variable, checks));

        Assert.Equal(0, exitCode);
        Assert.Equal("", error);
        string[] lines = ChildProcess.Lines(output);
        Assert.Equal(listens ? ["heard=100", "counted=100"] : ["heard=0", "counted=0"], lines[..2]);
        if (listens)
        {
            Assert.Matches("^100: rented by .*RepeatedMisuse.Run.* returned by .*RepeatedMisuse.Run[^×]*$", Assert.Single(lines[2..]));
        }
    }
}
