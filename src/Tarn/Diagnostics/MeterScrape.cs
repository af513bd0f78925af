namespace Tarn.Diagnostics;

/// <summary>The data that all instruments of one scrape report: a snapshot of every pool and heap, taken once.</summary>
/// <remarks>
/// A collector reads each instrument in turn, and does not announce when it begins. The second read of an instrument begins a new scrape,
/// and so does any read after <see cref="s_oldest"/>. When two collectors work at once, one may report the other's snapshot, which is
/// newer. All members are safe to call from any thread.
/// </remarks>
internal sealed class MeterScrape
{
    private static readonly TimeSpan s_oldest = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private IReadOnlyList<BufferSourceSnapshot> _snapshots = [];
    private long _takenAt;

    /// <summary>A bit for each instrument that received the snapshot; all ones before the first snapshot.</summary>
    private int _given = -1;

    /// <summary>Returns the snapshot for an instrument, numbered from 0 to 31.</summary>
    internal IReadOnlyList<BufferSourceSnapshot> GetSnapshots(int instrument)
    {
        using (_lock.Hold())
        {
            int bit = 1 << instrument;
            if ((_given & bit) != 0 || TimeProvider.System.GetElapsedTime(_takenAt) > s_oldest)
            {
                _snapshots = BufferDiagnostics.GetSources();
                _takenAt = TimeProvider.System.GetTimestamp();
                _given = 0;
            }

            _given |= bit;
            return _snapshots;
        }
    }
}
