namespace Tarn;

/// <summary>
/// Picks the buffers whose loss is to be reported, as the checks ask: all, a sample or none. Safe to use from any thread.
/// </summary>
internal sealed class LeakSampling(BufferChecks checks)
{
    /// <summary>One in this many buffers makes a sample (Netty's rate).</summary>
    internal const int Interval = 128;

    private uint _count;

    /// <summary>Whether the loss of the buffer that is handed out now is to be reported.</summary>
    internal bool PicksNext() =>
        (checks & BufferChecks.Leaks) != 0
        || ((checks & BufferChecks.SampledLeaks) != 0 && Interlocked.Increment(ref _count) % Interval == 0);
}
