using System.Buffers;

namespace Tarn;

/// <summary>Shows a part of a native buffer or a shared region as a memory. It keeps its owner alive and does not own it.</summary>
/// <param name="owner">The memory, which has such a part.</param>
/// <param name="offset">Where the part begins, in bytes.</param>
/// <param name="length">Its length in bytes.</param>
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

    /// <summary>Does nothing: the bytes are the owner's.</summary>
    protected override void Dispose(bool disposing)
    {
    }
}
