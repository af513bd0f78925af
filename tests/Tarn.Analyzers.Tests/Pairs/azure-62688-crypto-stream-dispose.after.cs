// Azure/azure-sdk-for-net#62688, fix in Azure/azure-sdk-for-net#62689 (AuthenticatedRegionCryptoStream.Dispose).
// Each Dispose returned the rented region buffer, so a stream disposed twice put the same array into the pool twice.
// The fix lets only the first Dispose through and takes the buffer out of its field.
using System;
using System.Buffers;
using System.IO;
using System.Security.Cryptography;
using System.Threading;

internal sealed class RegionCryptoStream : Stream
{
    private readonly Stream _inner;
    private readonly ICryptoTransform _transform;
    private byte[] _buffer;
    private int _position;
    private bool _flushedFinal;
    private int _disposed;

    internal RegionCryptoStream(Stream inner, ICryptoTransform transform, int regionSize)
    {
        _inner = inner;
        _transform = transform;
        _buffer = ArrayPool<byte>.Shared.Rent(regionSize);
    }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => !_flushedFinal;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override void Flush() => _inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count)
    {
        int taken = Math.Min(count, _buffer.Length - _position);
        Array.Copy(buffer, offset, _buffer, _position, taken);
        _position += taken;
    }

    protected override void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        base.Dispose(disposing);

        if (CanWrite)
        {
            FlushFinal();
        }

        _transform.Dispose();
        _inner.Dispose();
        byte[] buffer = _buffer;
        _buffer = Array.Empty<byte>();
        ArrayPool<byte>.Shared.Return(buffer, clearArray: true);
    }

    private void FlushFinal()
    {
        byte[] last = _transform.TransformFinalBlock(_buffer, 0, _position);
        _inner.Write(last, 0, last.Length);
        _position = 0;
        _flushedFinal = true;
    }
}
