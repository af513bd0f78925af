using Tarn.Tests.Support;
using Tarn.Torture.Attacks;
using Tarn.Torture.Running;

namespace Tarn.Tests.Torture;

/// <summary>What an attack throws, and the misuse that is reported meanwhile by whatever runs in the process, are findings.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class FindingTests
{
    [Fact]
    public void Exceptions_of_an_attack_and_reported_misuse_are_findings()
    {
        Assert.Contains("planted", Execute(static _ => throw new InvalidOperationException("planted")).Finding, StringComparison.Ordinal);
        Assert.Contains(
            "Misuse",
            Execute(static _ => BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.Overrun, "planted", 0))).Finding,
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
            sources, static source => BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.Leak, source, 0)));
    });

    private static SliceResult Execute(Action<AttackContext> run) =>
        SliceCommand.Execute(new PlantedAttack("planted", run), new Slice("", 1, 0));
}
