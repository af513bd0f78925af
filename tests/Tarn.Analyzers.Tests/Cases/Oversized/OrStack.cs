using System;
using System.Buffers;
using System.IO;

internal ref struct OrStackPacket(Span<byte> span)
{
    private readonly Span<byte> _span = span;
    private int _length;

    public void Write(scoped ReadOnlySpan<byte> data)
    {
        data.CopyTo(_span[_length..]);
        _length += data.Length;
    }
}

/// <summary>The span has the requested length on the stack, and may be longer where it is rented.</summary>
internal static class OrStack
{
    internal static void Written(Stream target, int length, ReadOnlySpan<byte> source)
    {
        byte[]? rented = null;
        Span<byte> bytes = length <= 256 ? stackalloc byte[length] : (rented = ArrayPool<byte>.Shared.Rent(length)).AsSpan();
        source.CopyTo(bytes);
        target.Write(bytes); // expect TARN007
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    internal static void WrittenByHelper(ref OrStackPacket packet, int length, ReadOnlySpan<byte> source)
    {
        byte[]? rented = null;
        Span<byte> bytes = length <= 256 ? stackalloc byte[length] : (rented = ArrayPool<byte>.Shared.Rent(length));
        source.CopyTo(bytes);
        packet.Write(bytes); // expect TARN007
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    internal static void Cut(ref OrStackPacket packet, int length, ReadOnlySpan<byte> source)
    {
        byte[]? rented = null;
        Span<byte> bytes = length <= 256 ? stackalloc byte[256] : (rented = ArrayPool<byte>.Shared.Rent(length));
        bytes = bytes[..length];
        source.CopyTo(bytes);
        packet.Write(bytes);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    internal static int Filled(Stream source, int length)
    {
        byte[]? rented = null;
        Span<byte> bytes = length <= 256 ? stackalloc byte[length] : (rented = ArrayPool<byte>.Shared.Rent(length));
        int read = source.Read(bytes);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return read;
    }
}
