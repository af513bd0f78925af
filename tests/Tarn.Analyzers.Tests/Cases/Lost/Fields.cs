using System;
using System.Buffers;

internal sealed class Dropped : IDisposable
{
    private byte[]? _buffer;
    private int _count;

    internal void Add(byte value)
    {
        _buffer ??= ArrayPool<byte>.Shared.Rent(16);
        if (_count == _buffer.Length)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2); // expect TARN011
            _buffer.CopyTo(larger, 0);
            _buffer = larger;
        }

        _buffer[_count++] = value;
    }

    public void Dispose()
    {
        byte[]? buffer = _buffer;
        _buffer = null;
        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

internal sealed class DroppedDirectly : IDisposable
{
    private byte[]? _buffer;

    internal void Grow()
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer!.Length * 2); // expect TARN011
        Array.Copy(_buffer, larger, _buffer.Length);
        _buffer = larger;
    }

    internal void Begin() => _buffer = ArrayPool<byte>.Shared.Rent(16);

    public void Dispose()
    {
        if (_buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }
}

internal sealed class Kept : IDisposable
{
    private byte[]? _buffer;

    internal void Grow()
    {
        byte[]? old = _buffer;
        byte[] larger = ArrayPool<byte>.Shared.Rent(old is null ? 16 : old.Length * 2);
        old?.CopyTo(larger, 0);
        _buffer = larger;
        if (old is not null)
        {
            ArrayPool<byte>.Shared.Return(old);
        }
    }

    public void Dispose()
    {
        if (_buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }
}

internal sealed class FirstNotRented : IDisposable
{
    private byte[] _buffer = new byte[16];
    private bool _isRented;

    internal void Grow()
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
        Array.Copy(_buffer, larger, _buffer.Length);
        _buffer = larger;
        _isRented = true;
    }

    public void Dispose()
    {
        if (_isRented)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _isRented = false;
        }
    }
}
