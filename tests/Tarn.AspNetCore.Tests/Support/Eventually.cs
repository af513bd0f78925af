namespace Tarn.AspNetCore.Tests.Support;

/// <summary>Waits for what other threads do.</summary>
internal static class Eventually
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);

    /// <summary>Waits until a condition holds, and fails if it does not for a long time.</summary>
    internal static async Task Holds(Func<bool> condition, string what)
    {
        long start = TimeProvider.System.GetTimestamp();
        while (!condition())
        {
            Assert.True(TimeProvider.System.GetElapsedTime(start) < s_patience, $"After {s_patience}: {what}.");
            await Task.Delay(s_pause);
        }
    }
}
