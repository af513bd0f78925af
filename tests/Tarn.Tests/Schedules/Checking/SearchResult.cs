namespace Tarn.Tests.Schedules.Checking;

/// <summary>The result of a search.</summary>
/// <param name="States">The different states that can be reached, or were until the finding.</param>
/// <param name="BrokenRule">The rule that does not hold, or null if every rule holds in every state.</param>
/// <param name="Schedule">The steps that lead there, the fewest possible.</param>
internal sealed record SearchResult(int States, string? BrokenRule, IReadOnlyList<string> Schedule)
{
    /// <summary>For people: the rule and the schedule, a step a line.</summary>
    public override string ToString() =>
        BrokenRule is null
            ? $"{States} states, every rule holds"
            : $"{BrokenRule} does not hold after\n{string.Join('\n', Schedule.Select(static (step, i) => $"{i + 1,3}. {step}"))}";
}
