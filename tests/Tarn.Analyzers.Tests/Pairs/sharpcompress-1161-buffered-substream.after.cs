// adamhathcock/sharpcompress#1161: each disposal of the stream returned its cache. The fix notes the first and forgets the array.
using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

internal sealed class BufferedSubStream(Stream stream, long origin, long bytesToRead) : Stream
{
    private byte[]? _cache = ArrayPool<byte>.Shared.Rent(81920);
    private int _cacheOffset;
    private int _cacheLength;
    private long _origin = origin;
    private long _left = bytesToRead;
    private bool _isDisposed;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => _left + _cacheLength - _cacheOffset;

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count)
    {
        if (_cacheOffset == _cacheLength)
        {
            RefillCache();
        }

        int read = Math.Min(count, _cacheLength - _cacheOffset);
        Buffer.BlockCopy(_cache!, _cacheOffset, buffer, offset, read);
        _cacheOffset += read;
        return read;
    }

    public override async Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        if (_cacheOffset == _cacheLength)
        {
            int wanted = (int)Math.Min(_left, _cache!.Length);
            _cacheOffset = 0;
            _cacheLength = await stream.ReadAsync(_cache, 0, wanted, cancellationToken).ConfigureAwait(false);
            _left -= _cacheLength;
        }

        int read = Math.Min(count, _cacheLength - _cacheOffset);
        Buffer.BlockCopy(_cache!, _cacheOffset, buffer, offset, read);
        _cacheOffset += read;
        return read;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;

        if (disposing && _cache is not null)
        {
            ArrayPool<byte>.Shared.Return(_cache);
            _cache = null;
        }

        base.Dispose(disposing);
    }

    private void RefillCache()
    {
        int wanted = (int)Math.Min(_left, _cache!.Length);
        _cacheOffset = 0;
        if (wanted == 0)
        {
            _cacheLength = 0;
            return;
        }

        if (stream.Position != _origin && stream.CanSeek)
        {
            stream.Position = _origin;
        }

        _cacheLength = stream.Read(_cache, 0, wanted);
        _origin += _cacheLength;
        _left -= _cacheLength;
    }
}
