using System.Buffers;

namespace Tarn;

/// <summary>The native memory of a <see cref="PooledWriter{T}"/>, which is why the writer can name it for elements of any type.</summary>
internal abstract class NativeContents<T>
{
    /// <summary>All elements that there is room for.</summary>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed.</exception>
    internal abstract Memory<T> Memory { get; }

    /// <inheritdoc cref="Memory"/>
    internal abstract Span<T> GetSpan();

    /// <summary>Makes the memory longer, and keeps its elements. Memory and spans taken before are invalid.</summary>
    /// <param name="length">The number of elements to have room for, more than there is now.</param>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    /// <exception cref="BufferBudgetExceededException">The heap's budget refused; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed.</exception>
    internal abstract void Grow(int length);

    /// <summary>Moves the first elements to an owner, and has no memory then.</summary>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed.</exception>
    internal abstract IMemoryOwner<T> Detach(int count);

    /// <summary>Frees the memory. Further calls do nothing.</summary>
    internal abstract void Dispose();
}
