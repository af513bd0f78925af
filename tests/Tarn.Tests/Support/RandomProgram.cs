namespace Tarn.Tests.Support;

/// <summary>Runs random programs: chooses seeds and time, and reports failures.</summary>
internal static class RandomProgram
{
    private static readonly TimeSpan s_short = TimeSpan.FromSeconds(0.1);

    /// <summary>Fixed seeds, of which the short form has the first half, and one that is new each time.</summary>
    internal static TheoryData<int> Seeds(int known) =>
        [.. Enumerable.Range(1, StressLength.IsLong ? known : (known + 1) / 2), Random.Shared.Next()];

    /// <summary>The steps of a program, which grow with the time that stress tests may take.</summary>
    internal static int Steps(int perSecond) =>
        (int)((StressLength.IsLong ? StressLength.Duration : s_short).TotalSeconds * perSecond);

    /// <summary>A failure reports the seed, which reproduces it.</summary>
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
