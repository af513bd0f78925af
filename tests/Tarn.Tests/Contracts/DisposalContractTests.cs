using Tarn.TestChild.Owners;
using Tarn.Tests.Support;

namespace Tarn.Tests.Contracts;

/// <summary>
/// Every member of every owner of memory races with Dispose, in a process of its own, because what these races look for may end the
/// process. Streams have races of their own besides.
/// </summary>
public sealed class DisposalContractTests
{
    [Fact]
    public void A_call_that_a_Dispose_overtakes_throws_that_or_completes_and_nothing_is_lost() =>
        AssertNothingIsFound($"{StressLength.Times(6, 60)}");

    /// <summary>The same without chance: the owner is disposed at each moment at which the call takes or returns memory.</summary>
    [Fact]
    public void So_does_a_call_whose_owner_is_disposed_at_one_of_its_steps() => AssertNothingIsFound("0");

    private static void AssertNothingIsFound(string milliseconds)
    {
        (int exitCode, string output, string error) = ChildProcess.RunToEnd(["owner races", milliseconds], limits: null);
        string[] lines = ChildProcess.Lines(output);
        Assert.True(exitCode == 0, $"The race of {lines.LastOrDefault()} ended the process with {exitCode}: {error}");
        string[] violations = [.. lines.Where(static line => line.StartsWith(OwnerRaces.Violation, StringComparison.Ordinal))];
        Assert.True(violations.Length == 0, string.Join('\n', violations));
        Assert.Equal("done", lines[^1]);
        Assert.Equal(1 + RacedOwner.All.Sum(static owner => owner.Members.Length), lines.Length);
    }
}
