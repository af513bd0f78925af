namespace Tarn;

/// <summary>The counters of a pool. They are exact while no other thread is in a call on the pool.</summary>
/// <param name="Rented">The number of buffers handed out.</param>
/// <param name="Returned">The number of returned buffers that the pool accepted.</param>
/// <param name="Allocated">The number of buffers allocated. The rest of <paramref name="Rented"/> was reused.</param>
/// <param name="Dropped">The number of returned buffers not kept: too long, or no room under the cap.</param>
/// <param name="Trimmed">The number of idle buffers given up.</param>
/// <param name="InUseBytes">The bytes handed out and not returned.</param>
/// <param name="RetainedBytes">The bytes kept idle, in thread caches and in the depots.</param>
public readonly record struct BufferPoolStatistics(
    long Rented, long Returned, long Allocated, long Dropped, long Trimmed,
    long InUseBytes, long RetainedBytes);
