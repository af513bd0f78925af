namespace Tarn;

/// <summary>Buffer writers whose contents lie in memory of a <see cref="NativeHeap"/>.</summary>
public static class NativeWriterExtensions
{
    /// <summary>Creates an empty writer whose contents lie in one native buffer.</summary>
    /// <remarks>
    /// The buffer grows as <see cref="NativeBuffer{T}.TryResize"/> does: above 256 KiB in place or by moving OS pages, where the system can
    /// do that, else by a copy. While the contents are pinned, growth moves them to another buffer, and the last unpin frees the old one.
    /// The first element is aligned to 64 bytes. A call takes some nanoseconds more than that of a writer over a pool, because it keeps a
    /// disposal on another thread from freeing the memory that it writes to. Spans from the writer are not protected in this way.
    /// </remarks>
    /// <typeparam name="T">A type that contains no references.</typeparam>
    /// <param name="heap">The heap that provides the buffer.</param>
    /// <param name="capacity">The elements to have room for at once; 0, the default, rents with the first write.</param>
    /// <param name="maxCount">
    /// The most elements that the writer may hold. A value above <see cref="Array.MaxLength"/>, such as the default, counts as that.
    /// </param>
    /// <returns>The writer. The caller owns it and must dispose it, and what it detached, before the heap.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="heap"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="maxCount"/> is negative, or <paramref name="capacity"/> is negative or above the maximum.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public static PooledWriter<T> CreateWriter<T>(this NativeHeap heap, int capacity = 0, int maxCount = int.MaxValue)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(heap);
        ObjectDisposedException.ThrowIf(heap.IsDisposed, heap);
        return new PooledWriter<T>(new HeapContents<T>(heap), capacity, maxCount);
    }
}
