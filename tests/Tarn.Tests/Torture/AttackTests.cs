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

    [SkippableTheory]
    [MemberData(nameof(Names))]
    public void An_attack_does_something_and_finds_nothing(string name)
    {
        Skip.IfNot(StressLength.IsLong || name is "pool" or "heap" or "ring", "each takes a process; the long form makes each");
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
}
