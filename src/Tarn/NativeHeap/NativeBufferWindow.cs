using System.Buffers;

namespace Tarn;

/// <summary>A part of a buffer that is too long for one memory. It keeps the buffer alive and does not own it.</summary>
internal sealed unsafe class NativeBufferWindow : MemoryManager<byte>
{
    private readonly NativeBuffer _buffer;
    private readonly long _offset;
    private readonly int _length;

    /// <param name="buffer">The buffer, which has such a part.</param>
    /// <param name="offset">Where the part begins, in bytes.</param>
    /// <param name="length">Its length in bytes.</param>
    internal NativeBufferWindow(NativeBuffer buffer, long offset, int length)
    {
        _buffer = buffer;
        _offset = offset;
        _length = length;
    }

    /// <inheritdoc/>
    public override Memory<byte> Memory => CreateMemory(_length);

    /// <inheritdoc/>
    public override Span<byte> GetSpan() => _buffer.GetSpan(_offset, _length);

    /// <inheritdoc/>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        _buffer.ThrowIfDisposed();
        NativeBuffer.ThrowIfPinOutside(elementIndex, _length);
        return new MemoryHandle(_buffer.PinAt(_offset + elementIndex), pinnable: _buffer);
    }

    /// <inheritdoc/>
    public override void Unpin() => _buffer.Unpin();

    /// <summary>Does nothing: the block is the buffer's.</summary>
    protected override void Dispose(bool disposing)
    {
    }
}
