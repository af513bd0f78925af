using System.Buffers;

namespace Tarn;

/// <summary>A part of a region as a memory. It keeps the region alive and does not own it.</summary>
internal sealed class SharedRegionWindow(SharedRegion region, long offset, int length) : MemoryManager<byte>
{
    /// <inheritdoc/>
    public override Memory<byte> Memory => CreateMemory(length);

    /// <inheritdoc/>
    public override Span<byte> GetSpan() => region.GetSpan(offset, length);

    /// <inheritdoc/>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        if ((uint)elementIndex > (uint)length)
        {
            Throw.Outside(nameof(elementIndex), elementIndex, length);
        }

        return new MemoryHandle(region.PinAt(offset + elementIndex), pinnable: this);
    }

    /// <inheritdoc/>
    public override void Unpin() => region.Unpin();

    /// <summary>Does nothing: the bytes are the region's.</summary>
    protected override void Dispose(bool disposing)
    {
    }
}
