using System.Buffers;

namespace Tarn;

/// <summary>Owns the first elements of a native buffer: what <see cref="PooledWriter{T}.Detach"/> took from a writer.</summary>
internal sealed class DetachedBuffer<T>(HeapElements<T> elements, int length) : IMemoryOwner<T>
{
    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The owner or the heap was disposed.</exception>
    public Memory<T> Memory => elements.Memory[..length];

    /// <inheritdoc/>
    public void Dispose() => elements.Free();
}
