namespace Tarn.Diagnostics;

/// <summary>The counters of one pool or heap at one moment.</summary>
public readonly record struct BufferSourceSnapshot
{
    /// <summary>Gets its name. A pool without a name is named after its element type.</summary>
    public required string Name { get; init; }

    /// <summary>Gets its kind, such as <c>array pool</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>Gets the bytes handed out and not returned.</summary>
    public long InUseBytes { get; init; }

    /// <summary>Gets the bytes kept idle for reuse.</summary>
    public long RetainedBytes { get; init; }

    /// <summary>Gets the number of buffers handed out so far.</summary>
    public long Rented { get; init; }

    /// <summary>Gets the number of buffers returned so far.</summary>
    public long Returned { get; init; }

    /// <summary>Gets the number of buffers newly allocated so far, because none was idle.</summary>
    public long Allocated { get; init; }

    /// <summary>
    /// Gets the <c>poolId</c> of its events: the hash code of the pool or heap (<see cref="object.GetHashCode"/>), as in the BCL's pools.
    /// Two sources may have the same one.
    /// </summary>
    public int Id { get; init; }
}
