using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The options of a memory pool that <see cref="BufferPool{T}.AsMemoryPool(BufferMemoryPoolOptions)"/> returns.</summary>
/// <remarks>
/// The blocks belong to the <see cref="BufferPool{T}"/>: its cap, its idle timeout, its checks and its metrics cover them. Memory pools
/// with different options over the same pool share its idle buffers.
/// </remarks>
public sealed record BufferMemoryPoolOptions
{
    /// <summary>The bytes of a block for callers that request no length: those of the BCL's memory pool.</summary>
    private const int DefaultBytes = 4096;

    /// <summary>
    /// The bytes at which growth ends unless <see cref="LargestLength"/> says otherwise: half of what pauses the writer of a pipe with
    /// default options. A writer that fills a block of that size can flush it whether or not the reader runs.
    /// </summary>
    private const int DefaultGrowthBytes = 32 << 10;

    /// <summary>
    /// The least length of a block, in elements: shorter requests get a block of this length, and so do callers that request none. With 0,
    /// the default, a block is about as long as requested, and 4 KiB long for callers that request none.
    /// </summary>
    public int SmallestLength { get; init; }

    /// <summary>
    /// The greatest length of a block, in elements, which <see cref="System.Buffers.MemoryPool{T}.MaxBufferSize"/> returns. A longer
    /// request throws <see cref="ArgumentOutOfRangeException"/>. With null, the default, only the runtime's limit on arrays applies.
    /// </summary>
    public int? LargestLength { get; init; }

    /// <summary>
    /// Whether blocks grow with the data: a block is at least as long as the blocks of this memory pool that are in use, together, rounded
    /// down to a power of two. So each block doubles the memory in use, up to <see cref="LargestLength"/>, or up to 32 KiB if that is null.
    /// Blocks get shorter again as blocks are disposed. False by default.
    /// </summary>
    /// <remarks>
    /// Use a memory pool for each pipe or connection, because one memory pool counts all its blocks together: where many share it, every
    /// block is as long as growth allows. A memory pool is a small object without buffers of its own. A pipe pauses its writer at
    /// <c>PauseWriterThreshold</c>, 64 KiB by default. A writer that fills a longer block waits for the reader, for ever if the same code
    /// reads afterwards. So a <see cref="LargestLength"/> above the default needs a threshold above that length.
    /// </remarks>
    public bool GrowsByDoubling { get; init; }

    /// <summary>
    /// Whether blocks must never move, so that sockets and native code need not pin them. The pool must have been created with
    /// <see cref="BufferPoolOptions.Pinned"/>, or the call throws <see cref="ArgumentException"/>. The blocks of a pinned pool never move,
    /// whatever this setting is. False by default.
    /// </summary>
    public bool Pinned { get; init; }

    /// <summary>
    /// Whether to clear each whole block when it is disposed. False by default: <see cref="BufferPoolOptions.Clearing"/> decides.
    /// </summary>
    public bool ClearsOnReturn { get; init; }

    internal static BufferMemoryPoolOptions Default { get; } = new();

    /// <summary>The greatest length of a block.</summary>
    internal int GreatestLength => LargestLength ?? Array.MaxLength;

    /// <summary>The length of a block for callers that request none.</summary>
    internal int DefaultLength<T>() =>
        SmallestLength > 0 ? SmallestLength : Math.Min(GreatestLength, Math.Max(1, DefaultBytes / Unsafe.SizeOf<T>()));

    /// <summary>The greatest length that a block gets by growth; 0 without growth.</summary>
    internal int GrowthLimit<T>() =>
        GrowsByDoubling ? LargestLength ?? Math.Max(1, DefaultGrowthBytes / Unsafe.SizeOf<T>()) : 0;

    /// <exception cref="ArgumentException">A setting is out of range or contradicts the pool; the message names it.</exception>
    internal void Verify(string argumentName, bool isPoolPinned, string poolName)
    {
        Throw.UnlessAllowed(
            SmallestLength >= 0 && SmallestLength <= Array.MaxLength,
            argumentName, nameof(SmallestLength), SmallestLength, $"0 to {Array.MaxLength}");
        Throw.UnlessAllowed(
            LargestLength is null || (LargestLength > 0 && LargestLength >= SmallestLength && LargestLength <= Array.MaxLength),
            argumentName, nameof(LargestLength), LargestLength,
            $"at least 1 and {nameof(SmallestLength)}, which is {SmallestLength}, at most {Array.MaxLength}, or null");
        if (Pinned && !isPoolPinned)
        {
            throw new ArgumentException(
                $"{nameof(Pinned)} is set, but the arrays of the pool {poolName} may move. Create a pool with "
                + $"{nameof(BufferPoolOptions)}.{nameof(BufferPoolOptions.Pinned)}.",
                argumentName);
        }
    }
}
