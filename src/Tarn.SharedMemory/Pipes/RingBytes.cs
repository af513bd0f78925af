using System.Buffers;

namespace Tarn.SharedMemory;

/// <summary>The bytes of a ring's records as memory, which stays mapped until this is released, whatever becomes of the ring.</summary>
/// <remarks>Of a forgotten one, it stays mapped until the process ends, because a span of it may be in use.</remarks>
internal sealed unsafe class RingBytes : MemoryManager<byte>
{
    private readonly Action? _released;
    private readonly SharedRegion _region;
    private readonly byte* _records;
    private readonly int _capacity;
    private readonly int _length;
    private PinCount _pins;

    /// <param name="ring">The ring.</param>
    /// <param name="released">Is called once, when this was released and is not held any more.</param>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    internal RingBytes(SharedRing ring, Action? released = null)
    {
        _released = released;
        _region = ring.Region;
        _capacity = ring.Capacity;
        _length = ring.Capacity + RingHeader.RecordSize(ring.MaxMessageLength);
        _records = _region.PinAt(0) + RingHeader.Length;
    }

    /// <inheritdoc/>
    public override Span<byte> GetSpan()
    {
        ObjectDisposedException.ThrowIf(_pins.IsDisposed, typeof(SharedRing));
        return new Span<byte>(_records, _length);
    }

    /// <inheritdoc/>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)_length, nameof(elementIndex));
        Hold();
        return new MemoryHandle(_records + elementIndex, pinnable: this);
    }

    /// <inheritdoc/>
    public override void Unpin()
    {
        if (_pins.Unpin())
        {
            LetGo();
        }
    }

    /// <summary>Lets go of the memory, which stays mapped while it is pinned.</summary>
    internal void Release() => Dispose(disposing: true);

    /// <summary>The message of a record, or a part of it.</summary>
    /// <param name="position">The record's position.</param>
    /// <param name="start">The part's first byte.</param>
    /// <param name="length">The part's length, in bytes.</param>
    internal Memory<byte> Message(long position, int start, int length) =>
        CreateMemory((int)(position & (_capacity - 1)) + RingHeader.RecordAlignment + start, length);

    /// <summary>Completes a record that is not published yet. This is not released meanwhile.</summary>
    internal void SetLength(long position, int length) => *(int*)(_records + (position & (_capacity - 1))) = length;

    /// <summary>Writes a part of the message of a record. This is not released meanwhile.</summary>
    internal void Write(long position, int start, ReadOnlySpan<byte> source) =>
        BufferCopy.Copy(source, Message(position, start, source.Length).Span);

    /// <summary>Keeps the memory until <see cref="Unpin"/>, because another thread may release it.</summary>
    /// <exception cref="ObjectDisposedException">The memory was released.</exception>
    internal void Hold() => ObjectDisposedException.ThrowIf(!_pins.TryPin(), typeof(SharedRing));

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (_pins.Dispose())
        {
            LetGo();
        }
    }

    private void LetGo()
    {
        _region.Unpin();
        _released?.Invoke();
    }
}
