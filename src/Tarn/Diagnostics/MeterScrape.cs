namespace Tarn;

/// <summary>What all instruments of one scrape report: a snapshot of every pool and heap, taken once.</summary>
/// <remarks>
/// A collector asks each instrument in turn, and does not say when it begins. An instrument that asks again begins a new scrape; so does
/// whoever asks after <see cref="s_oldest"/>. Of two collectors at work, one may report what the other's snapshot says, which is newer. All
/// members are safe to call from any thread.
/// </remarks>
internal sealed class MeterScrape
{
    private static readonly TimeSpan s_oldest = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private IReadOnlyList<BufferSourceSnapshot> _snapshots = [];
    private long _takenAt;

    /// <summary>A bit for each instrument that was given the snapshot; all ones before there is any.</summary>
    private int _given = -1;

    /// <summary>The snapshot for an instrument, numbered from 0 to 31.</summary>
    internal IReadOnlyList<BufferSourceSnapshot> GetSnapshots(int instrument)
    {
        lock (_lock)
        {
            int bit = 1 << instrument;
            if ((_given & bit) != 0 || TimeProvider.System.GetElapsedTime(_takenAt) > s_oldest)
            {
                _snapshots = BufferDiagnostics.GetSnapshot();
                _takenAt = TimeProvider.System.GetTimestamp();
                _given = 0;
            }

            _given |= bit;
            return _snapshots;
        }
    }
}
