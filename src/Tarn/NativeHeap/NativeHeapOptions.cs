namespace Tarn.Native;

/// <summary>The options of a <see cref="NativeHeap"/>. Every setting has a default that suits a server.</summary>
public sealed class NativeHeapOptions
{
    /// <summary>Creates options with their defaults.</summary>
    public NativeHeapOptions()
    {
    }

    /// <summary>Initializes options with the settings of others.</summary>
    /// <param name="other">The options to copy.</param>
    /// <exception cref="ArgumentNullException"><paramref name="other"/> is null.</exception>
    public NativeHeapOptions(NativeHeapOptions other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Name = other.Name;
        Statistics = other.Statistics;
        MaxRetainedBytes = other.MaxRetainedBytes;
        MaxBlockBytes = other.MaxBlockBytes;
        IdleTimeout = other.IdleTimeout;
        AddMemoryPressure = other.AddMemoryPressure;
        ClearOnFree = other.ClearOnFree;
        Checks = other.Checks;
        Budget = other.Budget;
        BudgetTimeout = other.BudgetTimeout;
        Clock = other.Clock;
        Memory = other.Memory;
    }

    /// <summary>The heap's name in metrics, events and reports. <c>NativeHeap</c> replaces an empty name.</summary>
    public string Name { get; init; } = "";

    /// <summary>
    /// Whether to count blocks in use, as a debugging aid. The counts are derived from the thread caches, so
    /// the setting does not affect the fast path. If it is false, <see cref="NativeHeap.GetStatistics"/> reports no blocks in use. True by
    /// default.
    /// </summary>
    public bool Statistics { get; init; } = true;

    /// <summary>
    /// The hard cap on idle bytes, thread caches included. Null chooses an eighth of the memory limit of the machine or container; 0 keeps
    /// nothing. When nothing is in use, the heap commits no more than this, counting slabs whole and including quarantined blocks. Free
    /// blocks in slabs that still contain blocks in use are not idle, because they cannot be returned. One exception comes on top: a thread
    /// that lives on without calling keeps one block of each size it used, with its slab, beyond the first such slab of that size. A heap
    /// with checks does not quarantine a freed block whose slab (128 KiB and more) is larger than the cap, and finds no late write to it.
    /// </summary>
    public long? MaxRetainedBytes { get; init; }

    /// <summary>
    /// The most bytes of one block, rounded up to a block size: 256 KiB or more. A larger request throws
    /// <see cref="OutOfMemoryException"/>. Null, the default, stands for the memory and swap that the process may have, of the machine or
    /// of its control groups, where the system tells them (Linux).
    /// </summary>
    /// <remarks>
    /// The heap commits address space that has no memory until it is touched, so the system refuses almost nothing, and a wrong length from
    /// a file ends with a process that the system kills. A program that reads lengths from others sets a smaller number. One that touches
    /// little of a huge block sets <see cref="long.MaxValue"/>. The setting is for each block, not for their sum: see <see cref="Budget"/>.
    /// </remarks>
    public long? MaxBlockBytes { get; init; }

    /// <summary>
    /// How long memory may be idle before the heap returns it. It goes back within twice this time, except that a thread that lives on
    /// without calling keeps one block of each size, with its slab. <see cref="Timeout.InfiniteTimeSpan"/> keeps memory until a trim is
    /// requested or memory is scarce. 10 seconds by default.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Whether to report the heap's memory to the garbage collector (<see cref="GC.AddMemoryPressure"/>). The heap reports it by slab, not
    /// by block, so calls cost almost nothing more. This helps only where managed objects own gigabytes of native memory. False by default.
    /// </summary>
    public bool AddMemoryPressure { get; init; }

    /// <summary>
    /// Whether to clear every block when it is freed. Frees are then slower, because they take the slow path. False by default.
    /// </summary>
    public bool ClearOnFree { get; init; }

    /// <summary>The checks to make. By default, the environment variable <c>TARN_CHECKS</c> decides.</summary>
    public BufferChecks Checks { get; init; } = BufferChecks.FromEnvironment;

    /// <summary>
    /// The budget that the sizes of blocks in use are taken from; null, the default, for no limit. At the limit an allocation throws
    /// <see cref="BufferBudgetExceededException"/>, and a reallocation leaves the block unchanged. The disposal of the heap returns the
    /// bytes of its blocks.
    /// </summary>
    /// <remarks>
    /// Every call of such a heap takes the slow path and a lock. Several heaps and pools can share a budget. A stream or writer that has a
    /// budget of its own takes its bytes from both.
    /// </remarks>
    public BufferBudget? Budget { get; init; }

    /// <summary>
    /// The longest time that an allocation blocks its thread for room in the <see cref="Budget"/>, before it throws
    /// <see cref="BufferBudgetExceededException"/>. Zero, the default, never blocks.
    /// </summary>
    /// <remarks>
    /// A call that waits has its place among all requests of the budget. <see cref="Thread.Interrupt"/> ends the wait, and nothing has
    /// changed then. A thread that blocks returns nothing meanwhile: if all holders of bytes block for more, none goes on until a wait is
    /// over. <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.
    /// </remarks>
    public TimeSpan BudgetTimeout { get; init; }

    /// <summary>The clock that ages idle memory. Tests provide their own.</summary>
    internal TrimClock? Clock { get; init; }

    /// <summary>The operating system's memory. Tests provide their own.</summary>
    internal VirtualMemory? Memory { get; init; }

    /// <exception cref="ArgumentException">A setting is out of range; the message names it and its value.</exception>
    internal void Verify(string argumentName)
    {
        Throw.UnlessAllowed(Name is not null, argumentName, nameof(Name), "null", "text");
        Throw.UnlessAllowed(
            MaxRetainedBytes is null or >= 0, argumentName, nameof(MaxRetainedBytes), MaxRetainedBytes, "0 or more, or null");
        Throw.UnlessAllowed(
            MaxBlockBytes is null || MaxBlockBytes >= (long)BlockSizes.LargestSlabSize,
            argumentName, nameof(MaxBlockBytes), MaxBlockBytes, $"{BlockSizes.LargestSlabSize} or more, or null");
        Throw.UnlessAllowed(
            IdleTimeout > TimeSpan.Zero || IdleTimeout == Timeout.InfiniteTimeSpan,
            argumentName, nameof(IdleTimeout), IdleTimeout, "more than zero, or Timeout.InfiniteTimeSpan");
        BufferBudget.VerifyOptions(argumentName, Budget, BudgetTimeout);
        _ = BufferChecksEnvironment.Resolve(Checks, argumentName);
    }
}
