namespace Tarn.Tests.Support;

/// <summary>How random programs are run: with which seeds, for how long, and what is told when one fails.</summary>
internal static class RandomProgram
{
    /// <summary>Fixed seeds, those that once found something among them, and one that is new each time.</summary>
    internal static TheoryData<int> Seeds(int known) => [.. Enumerable.Range(1, known), Random.Shared.Next()];

    /// <summary>
    /// As many for each second that stress tests may take; half of it by default, as there are many programs, and long ones cost most.
    /// </summary>
    internal static int Steps(int perSecond) => (int)(StressLength.Duration.TotalSeconds * perSecond / (StressLength.IsAsked ? 1 : 2));

    /// <summary>What fails tells the seed, which runs it again.</summary>
    internal static void Run(int seed, Action program)
    {
        try
        {
            program();
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"The program of seed {seed} failed: {e.Message}", e);
        }
    }
}
