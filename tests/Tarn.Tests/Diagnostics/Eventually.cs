namespace Tarn.Tests.Diagnostics;

/// <summary>Waits until something is so. The limit is generous: it only keeps a failing test from hanging.</summary>
internal static class Eventually
{
    private const int LimitMilliseconds = 60_000;

    internal static void True(Func<bool> condition, string what)
    {
        long end = Environment.TickCount64 + LimitMilliseconds;
        while (!condition())
        {
            Assert.True(Environment.TickCount64 < end, $"Waited in vain: {what}.");
            Thread.Sleep(1);
        }
    }

    /// <summary>As <see cref="True"/>, collecting garbage and letting finalizers run in between.</summary>
    internal static void TrueAfterCollections(Func<bool> condition, string what) =>
        True(
            () =>
            {
                Collect();
                return condition();
            },
            what);

    /// <summary>Collects what is garbage now, what only finalizers held on to, and waits for what they queued.</summary>
    internal static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    /// <summary>Returns when every incident reported so far was handled: one reported now is handled after them.</summary>
    internal static void AllIncidentsHandled()
    {
        string marker = $"marker {Guid.NewGuid()}";
        using IncidentLog log = new(marker);
        for (int i = 0; i < Environment.ProcessorCount + 1; i++)
        {
            BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.Overrun, marker, 0, null, null));
        }

        True(() => log.Count == Environment.ProcessorCount + 1 && ThreadPool.PendingWorkItemCount == 0, "incidents are handled");
    }
}
