namespace Tarn;

/// <content>The pool as a source of buffers: trimmed, counted, and listened to.</content>
public sealed partial class BufferPool<T>
{
    /// <summary>Gives up every idle buffer now, on every thread; buffers in use are not touched.</summary>
    /// <returns>The bytes given up; the garbage collector frees them when it next runs.</returns>
    public long Trim() => _core.TrimAll() + (_quarantine?.Trim(TimeSpan.MaxValue) ?? 0);

    /// <summary>The pool's counters now.</summary>
    /// <returns>
    /// Counters that are exact when no other thread is in the middle of a call on this pool; retained bytes never pass the cap.
    /// </returns>
    public BufferPoolStatistics GetStatistics()
    {
        BufferPoolStatistics statistics = _core.GetStatistics();

        // A magazine that moves while the sum is made may be counted twice; what was granted is never less than what is kept.
        long retained = Math.Min(statistics.RetainedBytes, _core.Budget.Granted);
        return statistics with { RetainedBytes = retained + (_quarantine?.RetainedBytes ?? 0) };
    }

    /// <inheritdoc/>
    BufferSourceSnapshot IBufferSource.GetSnapshot()
    {
        BufferPoolStatistics now = GetStatistics();
        return new BufferSourceSnapshot(
            _name, "array pool", now.InUseBytes, now.RetainedBytes, now.Rented, now.Returned, now.Allocated, _core.EventId);
    }

    /// <inheritdoc/>
    void IBufferSource.OnTracingChanged(bool everyBuffer)
    {
        _traced = everyBuffer;
        SetGate(open: !_alwaysSlow && !everyBuffer);
    }

    private void SetGate(bool open)
    {
        Volatile.Write(ref _lastMask, open ? -1 : 0);
        Volatile.Write(ref _gate, open ? ThreadDirectory<CacheSection, PoolThreads.Words>.OffsetOf(_core.Index) : 0);
    }
}
