// dotnet/corefxlab#1591 (the buffer of ManagedBufferPool; its commit says that it fixes possible double returns).
// Dispose, which the reference count and the user may call at the same time, returned the array before it set the
// field to null. The fix exchanges the field for null and returns what it got.
using System;
using System.Buffers;
using System.Threading;

internal sealed class CountedBuffer : MemoryManager<byte>
{
    private byte[]? _array;
    private bool _disposed;
    private int _references;

    internal CountedBuffer(int size) => _array = ArrayPool<byte>.Shared.Rent(size);

    public override Span<byte> GetSpan()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return _array;
    }

    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        Interlocked.Increment(ref _references);
        return _array.AsMemory(elementIndex).Pin();
    }

    public override void Unpin()
    {
        if (Interlocked.Decrement(ref _references) == 0)
        {
            Dispose(true);
        }
    }

    protected override void Dispose(bool disposing)
    {
        byte[]? array = Interlocked.Exchange(ref _array, null);
        if (array != null)
        {
            _disposed = true;
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
