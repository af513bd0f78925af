using System.Runtime.CompilerServices;

namespace Tarn.Lab.Replay;

/// <summary>
/// Observes the arrays a pool hands out: which are new, how much is in use, and how much exceeds the requests. All members are thread-safe.
/// </summary>
internal sealed class PoolCensus
{
    private readonly ConditionalWeakTable<byte[], object> _known = [];
    private readonly object _mark = new();
    private long _inUse;
    private long _peakInUse;
    private long _rented;
    private long _requested;
    private long _allocated;

    /// <summary>Bytes of all buffers rented since <see cref="Restart"/>.</summary>
    public long RentedBytes => Volatile.Read(ref _rented);

    public long RequestedBytes => Volatile.Read(ref _requested);

    /// <summary>Bytes of buffers that were never seen before.</summary>
    public long AllocatedBytes => Volatile.Read(ref _allocated);

    public long InUseBytes => Volatile.Read(ref _inUse);

    public long PeakInUseBytes => Volatile.Read(ref _peakInUse);

    /// <summary>
    /// Returns the bytes of all arrays that came from the pool and are still alive. Collects garbage first; nothing may be in use.
    /// </summary>
    public long CountLivingBytes()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        return _known.Sum(one => (long)one.Key.Length);
    }

    /// <summary>Restarts the counts. Known arrays stay known.</summary>
    public void Restart()
    {
        _rented = 0;
        _requested = 0;
        _allocated = 0;
        _peakInUse = _inUse;
    }

    public void Rent(int requested, byte[] array)
    {
        Interlocked.Add(ref _rented, array.Length);
        Interlocked.Add(ref _requested, requested);
        if (_known.TryAdd(array, _mark))
        {
            Interlocked.Add(ref _allocated, array.Length);
        }

        long now = Interlocked.Add(ref _inUse, array.Length);
        for (long peak = Volatile.Read(ref _peakInUse); now > peak; peak = Volatile.Read(ref _peakInUse))
        {
            _ = Interlocked.CompareExchange(ref _peakInUse, now, peak);
        }
    }

    public void Return(byte[] array) => Interlocked.Add(ref _inUse, -array.Length);
}
