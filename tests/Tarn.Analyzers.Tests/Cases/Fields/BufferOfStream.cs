using System.Buffers;
using System.IO;

/// <summary>A memory stream exposes the same array also after it was disposed.</summary>
internal sealed class BufferOfStream(int capacity) : MemoryStream(ArrayPool<byte>.Shared.Rent(capacity), 0, capacity, true, true)
{
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            ArrayPool<byte>.Shared.Return(GetBuffer()); // expect TARN005
        }

        base.Dispose(disposing);
    }
}

internal sealed class BufferOfStreamByLocal(int capacity) : MemoryStream(ArrayPool<byte>.Shared.Rent(capacity), 0, capacity, true, true)
{
    protected override void Dispose(bool disposing)
    {
        byte[] buffer = GetBuffer();
        base.Dispose(disposing);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN005
    }
}

internal sealed class BufferOfStreamOnce(int capacity) : MemoryStream(ArrayPool<byte>.Shared.Rent(capacity), 0, capacity, true, true)
{
    private bool _isDisposed;

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isDisposed)
        {
            _isDisposed = true;
            ArrayPool<byte>.Shared.Return(GetBuffer());
        }

        base.Dispose(disposing);
    }
}
