namespace Tarn;

/// <summary>Keeps later reads from being carried out before earlier ones.</summary>
internal static class LoadFence
{
    /// <summary>What follows reads what other threads wrote no earlier than what precedes did.</summary>
    /// <remarks>.NET 9 has only a full fence.</remarks>
    internal static void Issue()
    {
#if NET10_0_OR_GREATER
        Volatile.ReadBarrier();
#else
        Interlocked.MemoryBarrier();
#endif
    }
}
