using System;
using System.Buffers;
using System.IO;

/// <summary>Fields with rented arrays that no code of their type can return.</summary>
internal sealed class KeptForever : IDisposable
{
    private readonly Stream _stream;
    private byte[]? _buffer;

    internal KeptForever(Stream stream) => _stream = stream;

    internal int Next()
    {
        _buffer ??= ArrayPool<byte>.Shared.Rent(100); // expect TARN011
        int count = _stream.Read(_buffer.AsSpan(0, 100));
        return count == 0 ? -1 : _buffer[0];
    }

    public void Dispose() => _stream.Dispose();
}

/// <summary>Another method returns the array.</summary>
internal sealed class GivenBack : IDisposable
{
    private byte[]? _buffer;

    internal void Begin() => _buffer = ArrayPool<byte>.Shared.Rent(100);

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

/// <summary>Other code may return the array.</summary>
internal sealed class HandedOn : IDisposable
{
    private byte[]? _buffer;

    internal byte[]? Buffer => _buffer;

    internal void Begin() => _buffer = ArrayPool<byte>.Shared.Rent(100);

    public void Dispose() => GC.SuppressFinalize(this);
}

/// <summary>Nothing says when the type ends, so that it may keep its array for good: information.</summary>
internal sealed class NeverEnding
{
    private byte[]? _buffer;

    internal byte First() => (_buffer ??= ArrayPool<byte>.Shared.Rent(100))[0]; // expect TARN011
}
