using System.Diagnostics;

namespace Tarn.Tests.Support;

/// <summary>Waits by condition: what must come in the end, however slow the machine is.</summary>
internal static class Eventually
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    /// <summary>Returns once <paramref name="condition"/> holds; fails the test when it never does.</summary>
    internal static void Holds(Func<bool> condition, string what)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < s_limit, $"Waited {s_limit} in vain: {what}.");
            Thread.Sleep(1);
        }
    }

    /// <summary>As <see cref="Holds"/>, with a full collection and finalizers run before each look.</summary>
    internal static void HoldsAfterCollection(Func<bool> condition, string what) =>
        Holds(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                GC.Collect();
                return condition();
            },
            what);
}
