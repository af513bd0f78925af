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

    /// <summary>Fails when the task does not end. A hang is thus reported, and the other tests still run.</summary>
    internal static Task Ends(Task task, string what) => AllEnd([task], what);

    /// <summary>
    /// Fails when one of the tasks does not end, and at once when one fails: those that wait for it would end never, and hide why.
    /// </summary>
    internal static async Task AllEnd(IEnumerable<Task> tasks, string what)
    {
        List<Task> left = [.. tasks];
        int count = left.Count;
        Task late = Task.Delay(s_limit);
        while (left.Count > 0)
        {
            Task first = await Task.WhenAny([.. left, late]);
            Assert.True(first != late, $"Waited {s_limit} in vain: {what}. {left.Count} of {count} did not end.");
            left.Remove(first);
            await first;
        }
    }

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
