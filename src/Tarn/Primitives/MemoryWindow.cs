using System.Buffers;

namespace Tarn;

/// <summary>Exposes a part of a native buffer or a shared region as a memory. It keeps its owner alive and does not own it.</summary>
/// <param name="owner">The memory that contains the part.</param>
/// <param name="offset">The offset of the part, in bytes.</param>
/// <param name="length">The part's length, in bytes.</param>
internal sealed class MemoryWindow(ILongMemory owner, long offset, int length) : MemoryManager<byte>
{
    /// <inheritdoc/>
    public override Memory<byte> Memory => CreateMemory(length);

    /// <inheritdoc/>
    public override Span<byte> GetSpan() => owner.GetSpan(offset, length);

    /// <inheritdoc/>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        if ((uint)elementIndex > (uint)length)
        {
            Throw.Outside(nameof(elementIndex), elementIndex, length);
        }

        return new MemoryHandle(owner.PinAt(offset + elementIndex), pinnable: this);
    }

    /// <inheritdoc/>
    public override void Unpin() => owner.Unpin();

    /// <summary>Does nothing, because the bytes belong to the owner.</summary>
    protected override void Dispose(bool disposing)
    {
    }
}
