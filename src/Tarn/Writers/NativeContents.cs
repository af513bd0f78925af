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

    /// <summary>Copies elements to the memory, which a disposal on another thread leaves in place meanwhile.</summary>
    /// <param name="start">The index of the first element's place.</param>
    /// <param name="source">The elements, for which there is room.</param>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed; nothing was copied.</exception>
    internal abstract void Write(int start, ReadOnlySpan<T> source);

    /// <summary>Writes default values, as <see cref="Write"/> writes elements.</summary>
    /// <inheritdoc cref="Write" path="/exception"/>
    internal abstract void Clear(int start, int length);

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
