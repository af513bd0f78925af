using System.Buffers;

namespace Tarn;

/// <summary>Owns the first elements of a native buffer: what <see cref="PooledWriter{T}.Detach"/> took from a writer.</summary>
internal sealed class DetachedBuffer<T>(NativeBuffer<T> buffer, int length) : IMemoryOwner<T>
    where T : unmanaged
{
    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The owner or the heap was disposed.</exception>
    public Memory<T> Memory => buffer.Memory[..length];

    /// <inheritdoc/>
    public void Dispose() => buffer.Dispose();
}
