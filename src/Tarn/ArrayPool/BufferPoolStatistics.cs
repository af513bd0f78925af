namespace Tarn;

/// <summary>What a pool did so far and holds now. Exact when no other thread is in the middle of a call on the pool.</summary>
/// <param name="Rented">Buffers handed out.</param>
/// <param name="Returned">Buffers that came back and were accepted.</param>
/// <param name="Allocated">Buffers made anew: the rest of <paramref name="Rented"/> was reused.</param>
/// <param name="Dropped">Buffers that came back and were not kept: too long, or no room under the cap.</param>
/// <param name="Trimmed">Idle buffers given up.</param>
/// <param name="InUseBytes">Bytes handed out and not returned.</param>
/// <param name="RetainedBytes">Bytes kept idle, in thread caches and in the depots.</param>
public readonly record struct BufferPoolStatistics(
    long Rented, long Returned, long Allocated, long Dropped, long Trimmed,
    long InUseBytes, long RetainedBytes);
