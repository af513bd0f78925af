using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// One rule for all owners of shared memory: a disposal is safe beside any member, from any thread. The member completes or throws
/// <see cref="ObjectDisposedException"/>, nothing is lost, and a second disposal does nothing. In processes of their own, because what
/// these tests look for may end the process.
/// </summary>
public sealed class SharingRaceTests
{
    public static TheoryData<string> Kinds => [.. RacedSharingMember.Kinds];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_call_that_a_disposal_overtakes_throws_that_or_completes(string kind) => Race(kind);

    /// <summary>
    /// Another process writes anything to the memory. Calls may say so; a disposal does not, as nobody could do anything about it there,
    /// and closes everything.
    /// </summary>
    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_disposal_over_spoiled_memory_throws_nothing_and_leaves_nothing(string kind) =>
        Race(kind, $"{(StressLength.IsAsked ? Random.Shared.Next() : 12)}");

    private static void Race(string kind, params string[] seed)
    {
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["sharing races", kind, $"{StressLength.Times(10, 200)}", .. seed], limits: null);

        string[] lines = ChildProcess.Lines(output);
        Assert.True(exitCode == 0, $"The race of {lines.LastOrDefault()} ended the process with {exitCode}: {error}");
        Assert.DoesNotContain(lines, static line => line.StartsWith(SharingRaces.Violation, StringComparison.Ordinal));
        Assert.StartsWith("done", lines[^1], StringComparison.Ordinal);
        Assert.Equal(1 + RacedSharingMember.Of(kind).Length, lines.Length);
    }
}
