namespace Tarn.Diagnostics;

/// <summary>
/// Picks the buffers whose leaks are reported, as the checks request: all, a sample or none. Safe to use from any thread.
/// </summary>
internal sealed class LeakSampling(BufferChecks checks)
{
    /// <summary>One buffer in this many is sampled (Netty's rate).</summary>
    internal const int Interval = 128;

    private uint _count;

    /// <summary>Whether to report a leak of the buffer that is being handed out.</summary>
    internal bool PicksNext() =>
        (checks & BufferChecks.Leaks) != 0
        || ((checks & BufferChecks.SampledLeaks) != 0 && Interlocked.Increment(ref _count) % Interval == 0);
}
