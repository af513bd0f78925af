using System;
using System.Buffers;
using System.IO;

/// <summary>Methods that replace or take back the buffers in variables of their callers.</summary>
internal static class ReplacedByReference
{
    internal static int GrownAndLost(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16); // expect TARN011
        Grow(ref buffer, length);
        return source.Read(buffer, 0, length);
    }

    internal static int Grown(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        Grow(ref buffer, length);
        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int GrownAndUsed(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        byte[] first = buffer;
        Replace(ref buffer, length);
        int read = source.Read(buffer, 0, length) + first[0]; // expect TARN002
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int ReplacedAndLost(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        Replace(ref buffer, length); // expect TARN011
        return source.Read(buffer, 0, length);
    }

    internal static int Dropped(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16); // expect TARN011
        Drop(ref buffer, length);
        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int DroppedButKept(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        byte[] first = buffer;
        Drop(ref buffer, length);
        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(first);
        return read;
    }

    internal static void Made(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        Make(ref buffer, length);
        source.ReadExactly(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
    }

    internal static void MadeBesideRented(Stream source, int length)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(16);
        byte[] buffer = rented;
        Make(ref buffer, length);
        source.ReadExactly(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(rented);
    }

    internal static void MadeAndTold(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        bool isMade = MakeAndTell(ref buffer, length);
        source.ReadExactly(buffer, 0, length);
        if (!isMade)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void MadeOut(Stream source, int length)
    {
        MakeNew(out byte[] buffer, length);
        source.ReadExactly(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
    }

    internal static void Resized(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        Array.Resize(ref buffer, length);
        source.ReadExactly(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
    }

    internal static void ResizedPerhaps(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        if (length > buffer.Length)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = [];
            Array.Resize(ref buffer, length);
        }

        source.ReadExactly(buffer, 0, length);
        if (length <= 16)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static int Released(Stream source, int length)
    {
        byte[]? buffer = ArrayPool<byte>.Shared.Rent(length);
        Span<byte> span = buffer.AsSpan(0, length);
        int read = source.Read(span);
        Release(ref buffer);
        return read + span[0]; // expect TARN002
    }

    internal static int ReleasedAtEnd(Stream source, int length)
    {
        byte[]? buffer = ArrayPool<byte>.Shared.Rent(length);
        int read = source.Read(buffer, 0, length);
        Release(ref buffer);
        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return read;
    }

    internal static int Filled(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return Fill(source, ref buffer, length);
    }

    private static void Grow(ref byte[] buffer, int length)
    {
        if (buffer.Length < length)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(length);
            Array.Copy(buffer, larger, buffer.Length);
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = larger;
        }
    }

    private static void Replace(ref byte[] buffer, int length)
    {
        byte[] old = buffer;
        buffer = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(old);
    }

    private static void Drop(ref byte[] buffer, int length) => buffer = ArrayPool<byte>.Shared.Rent(length);

    private static void Make(ref byte[] buffer, int length)
    {
        if (buffer.Length < length)
        {
            Array.Resize(ref buffer, length);
        }
    }

    private static bool MakeAndTell(ref byte[] buffer, int length)
    {
        if (buffer.Length >= length)
        {
            return false;
        }

        buffer = new byte[length];
        return true;
    }

    private static void MakeNew(out byte[] buffer, int length) => buffer = new byte[length];

    private static void Release(ref byte[]? buffer)
    {
        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = null;
        }
    }

    private static int Fill(Stream source, ref byte[] buffer, int length) => source.Read(buffer, 0, length);
}
