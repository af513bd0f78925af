using System;
using System.Buffers;
using System.IO;

internal sealed class InConstructors : IDisposable
{
    private readonly ArrayPool<byte> _pool;
    private byte[]? _first;
    private byte[]? _second;
    private byte[]? _third;

    internal InConstructors(int? length, bool isLarge, ArrayPool<byte> pool)
    {
        _pool = pool;
        _first = pool.Rent(length ?? 16);
        _second = pool.Rent(isLarge ? 20 : 10);
        _third = (isLarge ? pool : ArrayPool<byte>.Shared).Rent(10);
    }

    internal void Again(int? length)
    {
        Dispose();
        _first = _pool.Rent(length ?? 16);
        _second ??= _pool.Rent(length ?? 16);
    }

    public void Dispose()
    {
        Give(ref _first);
        Give(ref _second);
        Give(ref _third);
    }

    private void Give(ref byte[]? array)
    {
        byte[]? given = array;
        array = null;
        if (given is not null)
        {
            _pool.Return(given);
        }
    }

    private sealed class OverArray(ArrayPool<byte> pool, int length) : MemoryStream(pool.Rent(length), 0, length, true, true)
    {
        protected override void Dispose(bool disposing)
        {
            if (disposing && CanRead)
            {
                pool.Return(GetBuffer());
            }

            base.Dispose(disposing);
        }
    }
}
