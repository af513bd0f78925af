using System;
using System.Buffers;

/// <summary>Types that return the buffers they replace, and never their last one.</summary>
internal sealed class Replacing
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64); // expect TARN011

    internal byte First => _buffer[0];

    internal void Grow(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(length);
        Buffer.BlockCopy(_buffer, 0, larger, 0, _buffer.Length);
        byte[] old = _buffer;
        _buffer = larger;
        ArrayPool<byte>.Shared.Return(old);
    }
}

internal sealed class ReplacingAndClosed
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    internal byte First => _buffer[0];

    internal void Grow(int length)
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(length);
        Buffer.BlockCopy(_buffer, 0, larger, 0, _buffer.Length);
        byte[] old = _buffer;
        _buffer = larger;
        ArrayPool<byte>.Shared.Return(old);
    }

    internal void Close()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }
}

internal sealed class ReplacingWhenNeeded
{
    private byte[] _scratch = [];

    internal byte Fill(int length)
    {
        if (_scratch.Length < length)
        {
            ArrayPool<byte>.Shared.Return(_scratch);
            _scratch = ArrayPool<byte>.Shared.Rent(length);
        }

        return _scratch[0];
    }
}

internal static class ReplacingUser
{
    internal static int Use()
    {
        Replacing one = new();
        one.Grow(2);
        ReplacingAndClosed two = new();
        two.Close();
        return one.First + two.First;
    }
}
