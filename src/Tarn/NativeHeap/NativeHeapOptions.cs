namespace Tarn;

/// <summary>How a <see cref="NativeHeap"/> behaves; every setting has a default that suits a server.</summary>
public sealed record NativeHeapOptions
{
    /// <summary>Names the heap in metrics, events and reports; an empty name is replaced by <c>NativeHeap</c>.</summary>
    public string Name { get; init; } = "";

    /// <summary>
    /// Count blocks in use, in all and per size class, as a debugging aid. The counts are derived from what the thread caches hold, so
    /// keeping them costs the fast path nothing either way; without them <see cref="NativeHeap.GetStatistics"/> reports none in use.
    /// </summary>
    public bool Statistics { get; init; } = true;

    /// <summary>
    /// Hard cap on idle bytes, thread caches counted; null chooses an eighth of the machine's or container's memory limit. 0 keeps
    /// nothing. With nothing in use no more than this is committed, slabs counted whole, and what checks keep aside. Free blocks in slabs
    /// that still hold blocks in use are not idle: they cannot be given back. What stays of a thread that lives on without calling comes on
    /// top, as it cannot be taken from it: one block of each size it used, with its slab, beyond the first such slab of that size. A heap
    /// with checks keeps no freed block aside whose slab (128 KiB and more) is larger than the cap, and finds no late write to it.
    /// </summary>
    public long? MaxRetainedBytes { get; init; }

    /// <summary>
    /// How long memory may lie idle before it is given up; it goes within twice this time, all but one block of each size, with its slab,
    /// of a thread that lives on without calling. <see cref="Timeout.InfiniteTimeSpan"/> keeps
    /// it until a trim is asked for or memory is scarce. 10 seconds by default.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Tell the garbage collector about the heap's memory (<see cref="GC.AddMemoryPressure"/>), in steps of slabs rather than of blocks,
    /// so that it costs a call next to nothing. Worth it only where managed objects own gigabytes of native memory.
    /// </summary>
    public bool AddMemoryPressure { get; init; }

    /// <summary>Clear every block when it is freed. Slower: frees take the slow path.</summary>
    public bool ZeroOnFree { get; init; }

    /// <summary>What is verified; by default what the environment variable <c>TARN_CHECKS</c> says.</summary>
    public BufferChecks Checks { get; init; } = BufferChecks.FromEnvironment;

    /// <summary>The clock that ages idle memory; tests bring their own.</summary>
    internal TrimClock? Clock { get; init; }

    /// <summary>The operating system's memory; tests bring their own.</summary>
    internal VirtualMemory? Memory { get; init; }

    /// <exception cref="ArgumentException">A setting is out of its range; the message names it and its value.</exception>
    internal void Verify(string argumentName)
    {
        Throw.UnlessAllowed(Name is not null, argumentName, nameof(Name), "null", "text");
        Throw.UnlessAllowed(
            MaxRetainedBytes is null or >= 0, argumentName, nameof(MaxRetainedBytes), MaxRetainedBytes, "0 or more, or null");
        Throw.UnlessAllowed(
            IdleTimeout > TimeSpan.Zero || IdleTimeout == Timeout.InfiniteTimeSpan,
            argumentName, nameof(IdleTimeout), IdleTimeout, "more than zero, or Timeout.InfiniteTimeSpan");
        _ = BufferChecksEnvironment.Resolve(Checks, argumentName);
    }
}
