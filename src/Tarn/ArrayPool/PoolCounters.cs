namespace Tarn;

/// <summary>The counts of a pool's slow paths that no class and no thread's cache counts, and of threads that ended.</summary>
internal sealed class PoolCounters
{
    private long _allocated;
    private long _dropped;
    private long _trimmed;
    private long _rented;
    private long _returned;
    private long _inUseBytes;

    /// <summary>The buffers allocated outside the classes, or for checks; see <see cref="ArrayClass.Made"/> for the others.</summary>
    internal long Allocated => Volatile.Read(ref _allocated);

    /// <summary>The buffers dropped outside the classes, or by checks; see <see cref="ArrayClass.Dropped"/> for the others.</summary>
    internal long Dropped => Volatile.Read(ref _dropped);

    internal long Trimmed => Volatile.Read(ref _trimmed);

    /// <summary>The rents that no living thread's cache counts.</summary>
    internal long Rented => Volatile.Read(ref _rented);

    internal long Returned => Volatile.Read(ref _returned);

    /// <summary>The bytes rented minus the bytes returned. Negative where a living thread's cache counted the rent.</summary>
    internal long InUseBytes => Volatile.Read(ref _inUseBytes);

    internal void CountAllocated() => Interlocked.Increment(ref _allocated);

    internal void CountDropped() => Interlocked.Increment(ref _dropped);

    internal void CountTrimmed(long buffers) => Interlocked.Add(ref _trimmed, buffers);

    internal void CountRented(long buffers, long bytes)
    {
        Interlocked.Add(ref _rented, buffers);
        Interlocked.Add(ref _inUseBytes, bytes);
    }

    /// <summary>Uncounts the rent and the return of a buffer that no caller received.</summary>
    internal void CountUndone()
    {
        Interlocked.Decrement(ref _rented);
        Interlocked.Decrement(ref _returned);
    }

    internal void CountReturned(long buffers, long bytes)
    {
        Interlocked.Add(ref _returned, buffers);
        Interlocked.Add(ref _inUseBytes, -bytes);
    }
}
