namespace Tarn;

/// <summary>The options of a <see cref="BufferPool{T}"/>. Every setting has a default that suits a server.</summary>
public sealed class BufferPoolOptions
{
    /// <summary>Initializes options with their defaults.</summary>
    public BufferPoolOptions()
    {
    }

    /// <summary>Initializes options with the settings of others.</summary>
    /// <param name="other">The options to copy.</param>
    /// <exception cref="ArgumentNullException"><paramref name="other"/> is null.</exception>
    public BufferPoolOptions(BufferPoolOptions other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Name = other.Name;
        MaxArrayLength = other.MaxArrayLength;
        MaxRetainedBytes = other.MaxRetainedBytes;
        MaxArraysPerLength = other.MaxArraysPerLength;
        SizeClassesPerDoubling = other.SizeClassesPerDoubling;
        IdleTimeout = other.IdleTimeout;
        Pinned = other.Pinned;
        ThreadCaches = other.ThreadCaches;
        Clearing = other.Clearing;
        Checks = other.Checks;
        Budget = other.Budget;
        BudgetTimeout = other.BudgetTimeout;
        Clock = other.Clock;
    }

    /// <summary>The name of the pool in metrics, events and reports. If it is empty, the pool uses the element type's name.</summary>
    public string Name { get; init; } = "";

    /// <summary>
    /// The greatest length the pool keeps, in elements: from 1 to 2^30, the default, rounded up to the next size class. The pool allocates
    /// longer arrays on request and drops them when they are returned.
    /// </summary>
    public int MaxArrayLength { get; init; } = SizeClass.MaxLength;

    /// <summary>
    /// The hard cap on idle bytes, including those in thread caches. Null selects an eighth of the machine's or container's memory limit.
    /// With 0 the pool keeps nothing. All pools and heaps of the process together keep at most a quarter of the limit under default caps,
    /// and half of it under caps that you set.
    /// </summary>
    public long? MaxRetainedBytes { get; init; }

    /// <summary>
    /// The most idle arrays of one length to keep, including those in thread caches. With null, the default, only
    /// <see cref="MaxRetainedBytes"/> applies.
    /// </summary>
    public int? MaxArraysPerLength { get; init; }

    /// <summary>
    /// The number of size classes per doubling of the length. The default, 4, limits slack to 20 %; 2 limits it to 33 %; 1 gives the
    /// power-of-two lengths of the BCL's pools, with slack of up to 50 %.
    /// </summary>
    public int SizeClassesPerDoubling { get; init; } = 4;

    /// <summary>
    /// The time a buffer may be idle before the pool gives it up, 30 seconds by default. The pool gives it up within twice this time,
    /// without waiting for a garbage collection. Its memory is free after one, so a pool waits for longer than a heap. With
    /// <see cref="Timeout.InfiniteTimeSpan"/> the pool keeps buffers until <c>Trim</c> is called or memory is scarce.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Whether to allocate on the pinned object heap. Addresses then never change, but allocation is slower.</summary>
    public bool Pinned { get; init; }

    /// <summary>
    /// Whether threads keep free buffers of their own, as by default. Without them every rent and return takes a lock that all threads
    /// share, and the pool never holds more buffers of a length than were in use at once. This suits large buffers that pass from thread to
    /// thread and are used for much longer than a lock takes, such as those of sockets.
    /// </summary>
    public bool ThreadCaches { get; init; } = true;

    /// <summary>When the pool clears buffers. By default, a call to <c>Return</c> requests it.</summary>
    public BufferClearing Clearing { get; init; } = BufferClearing.OnRequest;

    /// <summary>The checks to make. By default, the environment variable <c>TARN_CHECKS</c> decides.</summary>
    public BufferChecks Checks { get; init; } = BufferChecks.FromEnvironment;

    /// <summary>
    /// The budget that the sizes of rented arrays are taken from, until they return; null, the default, for no limit on the bytes in use.
    /// At the limit a rent throws <see cref="BufferBudgetExceededException"/>. To wait instead, lease with
    /// <see cref="BufferBudgetExtensions.LeaseMemoryAsync{T}(BufferBudget, BufferPool{T}, int, CancellationToken)"/> from a pool without a
    /// budget.
    /// </summary>
    /// <remarks>
    /// Every rent and return of such a pool takes a lock. The bytes of an array that is dropped without a return stay in use. Several pools
    /// can share a budget. A stream, a writer, a counted buffer or a lease that has a budget of its own takes its bytes from both.
    /// </remarks>
    public BufferBudget? Budget { get; init; }

    /// <summary>
    /// The longest time that a rent blocks its thread for room in the <see cref="Budget"/>, before it throws
    /// <see cref="BufferBudgetExceededException"/>. Zero, the default, never blocks.
    /// </summary>
    /// <remarks>
    /// A call that waits has its place among all requests of the budget. <see cref="Thread.Interrupt"/> ends the wait, and nothing has
    /// changed then. A thread that blocks returns nothing meanwhile: if all holders of bytes block for more, none goes on until a wait is
    /// over. <see cref="Timeout.InfiniteTimeSpan"/> waits for ever. Leave it zero for a pool that pipes rent
    /// from (<see cref="BufferPool{T}.AsMemoryPool()"/>): a pipe rents under a lock that its reader needs to give memory back. Use
    /// <see cref="BufferBudgetExtensions.GetMemoryAsync"/> there.
    /// </remarks>
    public TimeSpan BudgetTimeout { get; init; }

    /// <summary>The clock that ages idle buffers. Tests supply their own.</summary>
    internal TrimClock? Clock { get; init; }

    /// <exception cref="ArgumentException">A setting is out of range; the message names it and its value.</exception>
    internal void Verify(string argumentName)
    {
        Throw.UnlessAllowed(Name is not null, argumentName, nameof(Name), "null", "text");
        Throw.UnlessAllowed(
            MaxArrayLength is > 0 and <= SizeClass.MaxLength, argumentName, nameof(MaxArrayLength), MaxArrayLength, "1 to 2^30");
        Throw.UnlessAllowed(
            MaxRetainedBytes is null or >= 0, argumentName, nameof(MaxRetainedBytes), MaxRetainedBytes, "0 or more, or null");
        Throw.UnlessAllowed(
            MaxArraysPerLength is null or > 0, argumentName, nameof(MaxArraysPerLength), MaxArraysPerLength, "1 or more, or null");
        Throw.UnlessAllowed(
            SizeClassesPerDoubling is 1 or 2 or 4, argumentName, nameof(SizeClassesPerDoubling), SizeClassesPerDoubling, "1, 2 or 4");
        Throw.UnlessAllowed(
            IdleTimeout > TimeSpan.Zero || IdleTimeout == Timeout.InfiniteTimeSpan,
            argumentName, nameof(IdleTimeout), IdleTimeout, "more than zero, or Timeout.InfiniteTimeSpan");
        Throw.UnlessAllowed(Enum.IsDefined(Clearing), argumentName, nameof(Clearing), Clearing, "a named value");
        BufferBudget.VerifyOptions(argumentName, Budget, BudgetTimeout);
        _ = BufferChecksEnvironment.Resolve(Checks, argumentName);
    }
}
