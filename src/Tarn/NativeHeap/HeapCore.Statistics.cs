namespace Tarn.Native;

/// <content>The counters, and the equations that tests check.</content>
internal sealed partial class HeapCore
{
    /// <summary>How long another clock's tick may take to give back the slabs of ended threads, in a test.</summary>
    private const long MostMillisecondsOfRelease = 1000;

    /// <summary>
    /// The current counters; exact when no other thread is in the middle of a call. Ticks wait while this runs. An ended heap reports its
    /// last counters, with nothing in use.
    /// </summary>
    internal HeapCount Count()
    {
        using (HeapThreads.Inheritance.Hold())
        {
            using (Upkeep.Hold())
            {
                return _lastCount ?? Accounts.Count();
            }
        }
    }

    /// <inheritdoc cref="HeapAccounts.Validate()"/>
    /// <remarks>
    /// Another clock's tick may have swept this heap's ended threads just now, and their slabs are still on their way back. So a failure
    /// counts if it lasts. Meanwhile no tick of this heap's clock mends anything.
    /// </remarks>
    internal void Validate() => Schedule.Clock.BetweenTicks(() =>
    {
        long began = Environment.TickCount64;
        while (true)
        {
            try
            {
                ValidateNow();
                return;
            }
            catch (InvalidOperationException) when (Environment.TickCount64 - began < MostMillisecondsOfRelease)
            {
                Thread.Sleep(1);
            }
        }
    });

    private void ValidateNow()
    {
        using (HeapThreads.Inheritance.Hold())
        {
            using (Upkeep.Hold())
            {
                Accounts.Validate();
            }
        }
    }
}
