namespace Tarn;

/// <content>The pool as a source of buffers: trims, counters and events.</content>
public sealed partial class BufferPool<T>
{
    /// <summary>Gives up every idle buffer of every thread now. Buffers in use are not affected.</summary>
    /// <returns>The bytes given up. The garbage collector frees them when it next runs.</returns>
    public long Trim() => _core.Trimmer.TrimAll() + (_quarantine?.Trim(TimeSpan.MaxValue) ?? 0);

    /// <summary>Returns the pool's current counters.</summary>
    /// <returns>
    /// The counters, which are exact while no other thread is in a call on this pool. The retained bytes never exceed the cap.
    /// </returns>
    public BufferPoolStatistics GetStatistics()
    {
        BufferPoolStatistics statistics = _core.GetStatistics();

        // The sum may count a magazine twice that moves at the same time. The granted room is never less than the retained bytes.
        long retained = Math.Min(statistics.RetainedBytes, _core.Budget.Granted);
        return statistics with { RetainedBytes = retained + (_quarantine?.RetainedBytes ?? 0) };
    }

    /// <inheritdoc/>
    BufferSourceSnapshot IBufferSource.GetSnapshot()
    {
        BufferPoolStatistics now = GetStatistics();
        return new BufferSourceSnapshot
        {
            Name = _name,
            Kind = Kind,
            InUseBytes = now.InUseBytes,
            RetainedBytes = now.RetainedBytes,
            Rented = now.Rented,
            Returned = now.Returned,
            Allocated = now.Allocated,
            Id = _core.EventId,
        };
    }

    /// <inheritdoc/>
    void IBufferSource.OnTracingChanged(bool everyBuffer)
    {
        _traced = everyBuffer;
        SetGate();
    }

    /// <summary>
    /// Opens or closes the gate. While sampling is on, rents go through <see cref="RentCounted"/> and returns hit as usual.
    /// </summary>
    private void SetGate()
    {
        bool isOpen = !_alwaysSlow && !_traced && !_isRetired;
        nint own = isOpen ? ThreadDirectory<CacheSection, PoolThreads.Words>.OffsetOf(_core.Index) : 0;
        bool isSampled = _isSampled;
        Volatile.Write(ref _lastMask, isOpen ? -1 : 0);
        Volatile.Write(ref _returnGate, own);
        Volatile.Write(ref _countedGate, isSampled ? own : 0);
        Volatile.Write(ref _gate, isSampled ? 0 : own);
    }
}
