using Tarn.Tests.Support;
using Tarn.Torture.Attacks;
using Tarn.Torture.Running;

namespace Tarn.Tests.Torture;

/// <summary>Each attack is made for a moment, in a process of its own, as in a run.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class AttackTests
{
    private const double Seconds = 0.2;

    public static TheoryData<string> Names => [.. AttackCatalogue.All.Select(static attack => attack.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void An_attack_does_something_and_finds_nothing(string name)
    {
        SliceResult result = SliceProcess.Execute(new Slice(name, Seed: 1, Seconds));

        Assert.True(result.Finding is null, result.Finding);
        Assert.True(
            result.Counts.Values.Any(static number => number > 0), $"It counted nothing and skipped {string.Join("; ", result.Skipped)}.");
    }

    [Fact]
    public void An_attack_whose_process_crashes_is_a_finding_with_the_output_of_the_process()
    {
        string? finding = SliceProcess.Execute(new Slice("no-such-attack", 1, Seconds)).Finding;

        Assert.NotNull(finding);
        Assert.Contains("exit code", finding, StringComparison.Ordinal);
        Assert.Contains("No such attack: no-such-attack", finding, StringComparison.Ordinal);
    }

    [Fact]
    public void Exceptions_of_an_attack_and_reported_misuse_are_findings()
    {
        Assert.Contains("planted", Execute(static _ => throw new InvalidOperationException("planted")).Finding, StringComparison.Ordinal);
        Assert.Contains(
            "Misuse",
            Execute(static _ => BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.Overrun, "planted", 0, null, null))).Finding,
            StringComparison.Ordinal);
        SliceResult none = Execute(static context => context.Count("done"));
        Assert.Null(none.Finding);
        Assert.Equal(1, none.Counts["done"]);
    }

    [Fact]
    public void Misuse_that_an_attack_expects_is_no_finding_and_any_other_is()
    {
        Assert.Null(ExecuteReporting("mine").Finding);
        Assert.Contains("of other", ExecuteReporting("mine", "other").Finding, StringComparison.Ordinal);
        Assert.Contains("of mine", ExecuteReporting("mine", "mine").Finding, StringComparison.Ordinal);
    }

    private static SliceResult ExecuteReporting(params string[] sources) => Execute(context =>
    {
        context.Expect(static incident => incident is { Kind: BufferIncidentKind.Leak, SourceName: "mine" }, most: 1);
        Array.ForEach(
            sources, static source => BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.Leak, source, 0, null, null)));
    });

    private static SliceResult Execute(Action<AttackContext> run) =>
        SliceCommand.Execute(new PlantedAttack("planted", run), new Slice("", 1, 0));
}
