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

/// <summary>The first array may be one of the thread's, which no pool gets back.</summary>
internal sealed class RentedOrOwn(bool isOwn) : IDisposable
{
    [ThreadStatic]
    private static char[]? s_own;

    private char[] _buffer = isOwn ? s_own ??= new char[100] : ArrayPool<char>.Shared.Rent(200);
    private int _count;

    internal void Grow()
    {
        char[] larger = ArrayPool<char>.Shared.Rent(_buffer.Length * 2);
        _buffer.CopyTo(larger, 0);
        if (_buffer.Length != 100)
        {
            ArrayPool<char>.Shared.Return(_buffer);
        }

        _buffer = larger;
    }

    internal void Insert(int index, ReadOnlySpan<char> text)
    {
        char[] larger = ArrayPool<char>.Shared.Rent(_buffer.Length + text.Length); // expect TARN011
        _buffer.AsSpan(0, index).CopyTo(larger);
        text.CopyTo(larger.AsSpan(index));
        _buffer.AsSpan(index, _count - index).CopyTo(larger.AsSpan(index + text.Length));
        _buffer = larger;
        _count += text.Length;
    }

    internal void InsertFirst(ReadOnlySpan<char> text)
    {
        char[] larger = ArrayPool<char>.Shared.Rent(_buffer.Length + text.Length);
        text.CopyTo(larger);
        _buffer.AsSpan(0, _count).CopyTo(larger.AsSpan(text.Length));
        char[] old = _buffer;
        _buffer = larger;
        if (old.Length != 100)
        {
            ArrayPool<char>.Shared.Return(old);
        }
    }

    internal void LeaveOwn()
    {
        if (_buffer.Length == 100)
        {
            char[] larger = ArrayPool<char>.Shared.Rent(_buffer.Length * 2);
            _buffer.CopyTo(larger, 0);
            _buffer = larger;
        }
    }

    public void Dispose()
    {
        if (_buffer.Length != 100)
        {
            ArrayPool<char>.Shared.Return(_buffer);
        }

        _buffer = [];
    }
}
