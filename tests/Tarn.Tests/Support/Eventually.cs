using System.Diagnostics;

namespace Tarn.Tests.Support;

/// <summary>Waits for conditions that must become true in the end, however slow the machine is.</summary>
internal static class Eventually
{
    /// <summary>It only keeps a failing test from hanging.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    /// <summary>Returns once <paramref name="condition"/> holds; fails the test when it never does.</summary>
    internal static void True(Func<bool> condition, string what)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < s_limit, $"Waited {s_limit} in vain: {what}.");
            Thread.Sleep(1);
        }
    }

    /// <summary>As <see cref="True"/>, collecting garbage and letting finalizers run before each look.</summary>
    internal static void TrueAfterCollections(Func<bool> condition, string what) =>
        True(
            () =>
            {
                Collect();
                return condition();
            },
            what);

    /// <summary>Collects the current garbage and the objects kept by finalizers only, and waits for the work these queued.</summary>
    internal static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
