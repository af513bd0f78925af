using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Torture.Children;

namespace Tarn.Tests.Budgets;

/// <summary>A load that ends a process without a budget, and that a process with one survives.</summary>
public sealed class LoadWithinBudgetTests
{
    private const int Requests = 64;
    private const long Budget = 32 << 20;

    /// <summary>Half of the memory that the requests ask for at once.</summary>
    private const long Limit = 128 << 20;

    private static readonly (string, string?)[] s_littleHeap =
    [
        ("DOTNET_GCHeapHardLimit", Limit.ToString("x", CultureInfo.InvariantCulture)), (BufferChecksEnvironment.Variable, null),
    ];

    [Fact]
    public void A_collectors_heap_that_the_load_fills_up_suffices_within_a_budget()
    {
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["requests at once", "arrays", "0"], limits: null, s_littleHeap);
        Assert.NotEqual(0, exitCode);
        Assert.Empty(output);
        Assert.Contains("memory", error, StringComparison.OrdinalIgnoreCase);
        AssertAnswers(ChildProcess.RunToEnd(["requests at once", "arrays", $"{Budget}"], limits: null, s_littleHeap));
    }

    [SkippableFact]
    public void A_control_group_whose_memory_the_load_exceeds_suffices_within_a_budget()
    {
        using ControlGroup? group = ControlGroup.TryCreate(Limit + (Limit / 2), out string? reason);
        Skip.If(group is null, $"No control group can be had: {reason}");
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["requests at once", "blocks", "0"], group.JoinCommand, (BufferChecksEnvironment.Variable, null));
        Assert.True(exitCode == 128 + 9, $"Exit code {exitCode}: {output}{error}");
        AssertAnswers(ChildProcess.RunToEnd(
            ["requests at once", "blocks", $"{Budget}"], group.JoinCommand, (BufferChecksEnvironment.Variable, null)));
    }

    private static void AssertAnswers((int ExitCode, string Output, string Error) child)
    {
        Assert.True(child.ExitCode == 0, $"Exit code {child.ExitCode}: {child.Output}{child.Error}");
        long[] numbers = [.. child.Output.Split(' ').Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];
        Assert.Equal([Requests, Budget], numbers);
    }
}
