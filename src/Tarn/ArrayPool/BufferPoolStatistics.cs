namespace Tarn;

/// <summary>The counters of a pool. They are exact while no other thread is in a call on the pool.</summary>
public readonly record struct BufferPoolStatistics
{
    /// <summary>Gets the number of buffers handed out.</summary>
    public long Rented { get; init; }

    /// <summary>Gets the number of returned buffers that the pool accepted.</summary>
    public long Returned { get; init; }

    /// <summary>Gets the number of buffers allocated. The rest of <see cref="Rented"/> was reused.</summary>
    public long Allocated { get; init; }

    /// <summary>Gets the number of returned buffers not kept: too long, or no room under the cap.</summary>
    public long Dropped { get; init; }

    /// <summary>Gets the number of idle buffers given up.</summary>
    public long Trimmed { get; init; }

    /// <summary>Gets the bytes handed out and not returned.</summary>
    public long InUseBytes { get; init; }

    /// <summary>Gets the bytes kept idle, in thread caches and in the depots.</summary>
    public long RetainedBytes { get; init; }
}
