namespace Tarn;

/// <summary>How a <see cref="PooledMemoryStream"/> works. Make one and share it among streams: streams only read it.</summary>
public sealed record PooledMemoryStreamOptions
{
    /// <summary>No process has more addresses.</summary>
    private const long LargestCapacity = 1L << 47;

    private readonly long _maxCapacity = LargestCapacity;
    private readonly long _parallelCopyThreshold;

    internal static PooledMemoryStreamOptions Default { get; } = new();

    /// <summary>Where the arrays come from; null, the default, is <see cref="BufferPool{T}.Shared"/>.</summary>
    public BufferPool<byte>? Pool { get; init; }

    /// <summary>
    /// Keep the contents in blocks of this heap instead of arrays; null, the default, does not. Such a stream has no array to show, so
    /// <see cref="PooledMemoryStream.TryGetBuffer"/> is false. It must be disposed, and before its heap: the blocks of a stream that is
    /// forgotten stay in use until the heap is disposed, which a heap with <see cref="BufferChecks.Leaks"/> reports.
    /// </summary>
    public NativeHeap? Heap { get; init; }

    /// <summary>When what was written is cleared.</summary>
    public StreamZeroing Zeroing { get; init; } = StreamZeroing.None;

    /// <summary>
    /// The most bytes a stream may hold; a write that would pass it throws <see cref="IOException"/> and leaves the stream as it was. 2^47,
    /// the default, is all that a process has addresses for: a larger value counts as that.
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
    /// Use more than one core for single reads and writes of at least this many bytes; 0, the default, never does. Worth it from some
    /// mebibytes up, on a machine with idle cores. All calls of such a stream are a few nanoseconds slower.
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
    /// As with a plain <see cref="MemoryStream"/>, <see cref="PooledMemoryStream.ToArray"/>, <see cref="PooledMemoryStream.GetBuffer"/>,
    /// <see cref="PooledMemoryStream.TryGetBuffer"/>, and here <see cref="PooledMemoryStream.GetReadOnlySequence"/> and
    /// <see cref="PooledMemoryStream.Detach"/> as well, work after <see cref="Stream.Dispose()"/>: for code that closes the stream through
    /// a writer and then takes its contents. The memory then stays with the stream; <see cref="PooledMemoryStream.Detach"/> is how it gets
    /// back to its pool, otherwise the garbage collector has it, or the heap until that is disposed. The default, false, gives the memory
    /// back at once.
    /// </summary>
    public bool KeepContentsOnDispose { get; init; }

    /// <summary>Called with the size before an array is rented: tests refuse memory here. Only a stream without room comes by.</summary>
    internal Action<int>? BeforeRent { get; init; }

    /// <exception cref="ArgumentException">Both a pool and a heap are given, or a setting has a value without a name.</exception>
    internal void Verify(string argumentName)
    {
        // Each stream comes by: the value must not be boxed for a message that nobody reads.
        if ((uint)Zeroing > (uint)StreamZeroing.Background)
        {
            Throw.UnlessAllowed(false, argumentName, nameof(Zeroing), Zeroing, "a named value");
        }

        if (Pool is not null && Heap is not null)
        {
            throw new ArgumentException(
                $"A stream takes its memory from a pool or from a heap, and both are set: leave {nameof(Pool)} or {nameof(Heap)} null.",
                argumentName);
        }
    }
}
