// MichaCo/DnsClient.NET#25: the wrapper of a pooled array noted that it was disposed but did not ask, and a second disposal gave the array
// to two queries at once. The fix asks.
using System;
using System.Buffers;

internal class PooledBytes : IDisposable
{
    private static readonly ArrayPool<byte> s_pool = ArrayPool<byte>.Create(4096, 100);

    private readonly byte[] _buffer;
    private bool _disposed;

    public PooledBytes(int length)
    {
        if (length <= 0)
        {
            throw new ArgumentOutOfRangeException(nameof(length));
        }

        _buffer = s_pool.Rent(length);
    }

    public byte[] Buffer
    {
        get
        {
            if (_disposed)
            {
                throw new ObjectDisposedException(nameof(Buffer));
            }

            return _buffer;
        }
    }

    public void Dispose() => Dispose(true);

    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
        {
            if (_disposed)
            {
                return;
            }

            s_pool.Return(_buffer);
            _disposed = true;
        }
    }
}
