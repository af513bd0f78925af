namespace Tarn;

/// <summary>The options of a <see cref="PooledMemoryStream"/>. Streams only read them, so many streams can share one instance.</summary>
public sealed class PooledMemoryStreamOptions
{
    /// <summary>The largest capacity: no process has more addresses.</summary>
    private const long LargestCapacity = 1L << 47;

    private readonly long _maxCapacity = LargestCapacity;
    private readonly long _parallelCopyThreshold;

    /// <summary>Initializes options with their defaults.</summary>
    public PooledMemoryStreamOptions()
    {
    }

    /// <summary>Initializes options with the settings of others.</summary>
    /// <param name="other">The options to copy.</param>
    /// <exception cref="ArgumentNullException"><paramref name="other"/> is null.</exception>
    public PooledMemoryStreamOptions(PooledMemoryStreamOptions other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Pool = other.Pool;
        Heap = other.Heap;
        Budget = other.Budget;
        AsyncBudgetTimeout = other.AsyncBudgetTimeout;
        BudgetCancellationToken = other.BudgetCancellationToken;
        BudgetTimeout = other.BudgetTimeout;
        Clearing = other.Clearing;
        MaxCapacity = other.MaxCapacity;
        ParallelCopyThreshold = other.ParallelCopyThreshold;
        KeepContentsOnDispose = other.KeepContentsOnDispose;
        Tag = other.Tag;
        BeforeRent = other.BeforeRent;
        Holder = other.Holder;
    }

    internal static PooledMemoryStreamOptions Default { get; } = new();

    /// <summary>The pool that provides the arrays; null, the default, is <see cref="BufferPool{T}.Shared"/>.</summary>
    public BufferPool<byte>? Pool { get; init; }

    /// <summary>
    /// The heap whose blocks hold the contents; null, the default, uses arrays. A stream over blocks has no array, so
    /// <see cref="PooledMemoryStream.TryGetBuffer"/> returns false. Dispose it before its heap. The blocks of a forgotten stream stay in
    /// use until the heap is disposed; a heap with <see cref="BufferChecks.Leaks"/> reports them.
    /// </summary>
    public NativeHeap? Heap { get; init; }

    /// <summary>
    /// The budget that the memory of the streams is taken from, with the pool's slack; null, the default, for no limit. At the limit a
    /// write throws <see cref="BufferBudgetExceededException"/> and leaves the stream unchanged, and
    /// <see cref="PooledMemoryStream.WriteAsync(ReadOnlyMemory{byte}, CancellationToken)"/> and
    /// <see cref="PooledMemoryStream.CopyFromAsync"/> wait. All calls of such a stream that take memory are slower.
    /// </summary>
    /// <remarks>
    /// A stream that waits keeps the memory that it has. The budget knows it: a request that would let all streams wait for each other is
    /// refused at once. A wait ends with the disposal of its stream. Create streams with the capacity they need
    /// (<see cref="PooledMemoryStream.CreateAsync"/>), and none is refused for the others. The bytes of a forgotten stream stay in use. So
    /// the option cannot be combined with <see cref="KeepContentsOnDispose"/>.
    /// </remarks>
    public BufferBudget? Budget { get; init; }

    /// <summary>
    /// The longest time that an asynchronous call waits for room in the <see cref="Budget"/>, before it throws
    /// <see cref="BufferBudgetExceededException"/>: <see cref="PooledMemoryStream.WriteAsync(ReadOnlyMemory{byte}, CancellationToken)"/>,
    /// <see cref="PooledMemoryStream.CreateAsync"/>, and each wait of <see cref="PooledMemoryStream.CopyFromAsync"/>.
    /// <see cref="Timeout.InfiniteTimeSpan"/>, the default, waits without a bound; zero never waits.
    /// </summary>
    public TimeSpan AsyncBudgetTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Ends all waits of the streams for the <see cref="Budget"/>, with <see cref="OperationCanceledException"/>: those of calls without a
    /// token, such as the last write of a compressing stream that is disposed, and those that block. The default never does.
    /// </summary>
    /// <remarks>A call that need not wait goes on. Nothing has changed where a wait ended.</remarks>
    public CancellationToken BudgetCancellationToken { get; init; }

    /// <summary>
    /// The longest time that a synchronous call blocks its thread for room in the <see cref="Budget"/>, before it throws
    /// <see cref="BufferBudgetExceededException"/>. Zero, the default, never blocks.
    /// </summary>
    /// <remarks>
    /// A call that waits has its place among all requests of the budget. <see cref="Thread.Interrupt"/> ends the wait, and nothing has
    /// changed then; so does the disposal of the stream on another thread, and <see cref="BudgetCancellationToken"/>. A thread that blocks
    /// returns nothing meanwhile: where all streams would block for more, one is refused.
    /// <see cref="Timeout.InfiniteTimeSpan"/> sets no bound.
    /// </remarks>
    public TimeSpan BudgetTimeout { get; init; }

    /// <summary>When to clear written bytes; <see cref="StreamClearing.None"/> by default.</summary>
    public StreamClearing Clearing { get; init; } = StreamClearing.None;

    /// <summary>
    /// The most bytes a stream may hold. A write that would exceed it throws <see cref="IOException"/> and leaves the stream unchanged. The
    /// default, 2^47, covers all addresses of a process; larger values count as 2^47.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public long MaxCapacity
    {
        get => _maxCapacity;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _maxCapacity = Math.Min(value, LargestCapacity);
        }
    }

    /// <summary>
    /// The least bytes from which a single read or write uses several cores; 0, the default, never does. This pays off from some mebibytes
    /// up, on a machine with idle cores. All calls of such a stream take a few nanoseconds longer.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public long ParallelCopyThreshold
    {
        get => _parallelCopyThreshold;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _parallelCopyThreshold = value;
        }
    }

    /// <summary>
    /// Whether the contents remain available after <see cref="Stream.Dispose()"/>, for code that closes the stream through a writer and
    /// then takes its contents. As with a plain <see cref="MemoryStream"/>, <see cref="PooledMemoryStream.ToArray"/>,
    /// <see cref="PooledMemoryStream.GetBuffer"/> and <see cref="PooledMemoryStream.TryGetBuffer"/> then still work; so do
    /// <see cref="PooledMemoryStream.GetReadOnlySequence"/> and <see cref="PooledMemoryStream.Detach"/>. The memory stays with the stream.
    /// <see cref="PooledMemoryStream.Detach"/> lets it return to its pool; otherwise arrays go to the garbage collector, and blocks stay in
    /// use until their heap is disposed. False, the default, returns the memory at once.
    /// </summary>
    public bool KeepContentsOnDispose { get; init; }

    /// <summary>
    /// What the streams are for, a name from a short list such as <c>upload</c>; null, the default, for no tag. The meter's instruments
    /// for streams carry it as <c>tarn.stream.tag</c>, and the event <c>StreamCreated</c> names it. Never make a tag of a user, a request
    /// or a file: the meter reports the first 64 tags of the process by name and all later ones as <c>other</c>. A tag costs nothing while
    /// nobody listens.
    /// </summary>
    public string? Tag { get; init; }

    /// <summary>
    /// Called with the size before an array is rented, so that tests can refuse memory. Only a stream without room calls it.
    /// </summary>
    internal Action<int>? BeforeRent { get; init; }

    /// <summary>
    /// Ends the waits of a stream with a <see cref="Budget"/>, which has a copy of the options for it: a field of the stream would make
    /// all streams larger.
    /// </summary>
    internal BudgetHolder? Holder { get; init; }

    /// <summary>Whether a stream has its memory from a heap, and nothing else to consider in its hits.</summary>
    internal bool IsPlainNative => Heap is not null && Budget is null && Clearing == StreamClearing.None && ParallelCopyThreshold == 0;

    /// <exception cref="ArgumentException">Two settings exclude each other, or a setting has an unnamed value.</exception>
    internal void Verify(string argumentName)
    {
        // Every stream executes this: do not box the value for a message that is rarely needed.
        if ((uint)Clearing > (uint)StreamClearing.Background)
        {
            Throw.UnlessAllowed(false, argumentName, nameof(Clearing), Clearing, "a named value");
        }

        if (Pool is not null && Heap is not null)
        {
            throw new ArgumentException(
                $"A stream takes its memory from a pool or from a heap, and both are set: leave {nameof(Pool)} or {nameof(Heap)} null.",
                argumentName);
        }

        if (BudgetTimeout != TimeSpan.Zero)
        {
            BufferBudget.VerifyOptions(argumentName, Budget, BudgetTimeout);
        }

        if (AsyncBudgetTimeout != Timeout.InfiniteTimeSpan)
        {
            BufferBudget.VerifyOptions(
                argumentName, Budget, AsyncBudgetTimeout, nameof(AsyncBudgetTimeout), unused: Timeout.InfiniteTimeSpan);
        }

        if (Budget is not null && KeepContentsOnDispose)
        {
            throw new ArgumentException(
                $"{nameof(KeepContentsOnDispose)} leaves the memory of a disposed stream to the collector, which returns no bytes to a "
                + $"budget: leave it false, or leave {nameof(Budget)} null.",
                argumentName);
        }
    }
}
