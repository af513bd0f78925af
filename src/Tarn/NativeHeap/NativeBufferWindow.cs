using System.Buffers;

namespace Tarn.Native;

/// <summary>
/// Exposes a part of a buffer that is too long for one memory. It keeps the buffer alive and does not own it.
/// </summary>
/// <param name="buffer">The buffer that contains the part.</param>
/// <param name="offset">The index of the part's first element.</param>
/// <param name="length">The part's length, in elements.</param>
internal sealed class NativeBufferWindow<T>(NativeBuffer<T> buffer, long offset, int length) : MemoryManager<T>
    where T : unmanaged
{
    /// <inheritdoc/>
    public override Memory<T> Memory => CreateMemory(length);

    /// <inheritdoc/>
    public override Span<T> GetSpan() => buffer.GetSpan(offset, length);

    /// <inheritdoc/>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        if ((uint)elementIndex > (uint)length)
        {
            Throw.Outside(nameof(elementIndex), elementIndex, length);
        }

        return new MemoryHandle(buffer.PinAt(offset + elementIndex, nameof(elementIndex)), pinnable: this);
    }

    /// <inheritdoc/>
    public override void Unpin() => buffer.Unpin();

    /// <summary>Does nothing, because the elements belong to the buffer.</summary>
    protected override void Dispose(bool disposing)
    {
    }
}
