using System;
using System.Buffers;
using System.IO;
using System.Numerics;
using System.Runtime.InteropServices;

static class WrongPadding
{
    static void ToNative(Stream source, nint target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        Marshal.Copy(buffer, 0, target, buffer.Length); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
    }

    static void Sorted(int[] values)
    {
        int[] sorted = ArrayPool<int>.Shared.Rent(values.Length);
        sorted.AsSpan().Clear();
        values.CopyTo(sorted, 0);
        Array.Sort(sorted); // expect TARN007
        sorted.AsSpan(0, values.Length).CopyTo(values);
        ArrayPool<int>.Shared.Return(sorted);
    }

    static void Emitted(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Array.Fill(buffer, (byte)0xFF);
        target.Write(buffer, 0, buffer.Length); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
    }

    static void Streamed(Stream source, Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        using MemoryStream copy = new(buffer); // expect TARN007
        copy.CopyTo(target);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

static class RightPadding
{
    static void ToNative(Stream source, nint target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        Marshal.Copy(buffer, 0, target, length);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    static bool Sorted(int[] values, int wanted)
    {
        int[] sorted = ArrayPool<int>.Shared.Rent(values.Length);
        Array.Fill(sorted, int.MaxValue);
        values.CopyTo(sorted, 0);
        Array.Sort(sorted);
        bool isThere = Array.BinarySearch(sorted, wanted) >= 0;
        ArrayPool<int>.Shared.Return(sorted);
        return isThere;
    }

    static void Streamed(Stream source, Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        using MemoryStream copy = new(buffer);
        copy.SetLength(length);
        copy.CopyTo(target);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

static class RestFilled
{
    static BigInteger BySpan(ReadOnlySpan<byte> contents, byte sign)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(contents.Length);
        new Span<byte>(buffer, contents.Length, buffer.Length - contents.Length).Fill(sign);
        contents.CopyTo(buffer);
        BigInteger value = new(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }

    static BigInteger ByStart(ReadOnlySpan<byte> contents)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(contents.Length);
        contents.CopyTo(buffer);
        buffer.AsSpan(contents.Length).Clear();
        BigInteger value = new(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }

    static BigInteger ByStartAndLength(ReadOnlySpan<byte> contents, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        contents.CopyTo(buffer);
        buffer.AsSpan(length, buffer.Length - length).Clear();
        BigInteger value = new(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }

    static BigInteger ByArray(ReadOnlySpan<byte> contents, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        contents.CopyTo(buffer);
        Array.Clear(buffer, length, buffer.Length - length);
        BigInteger value = new(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }
}

static class RestNotFilled
{
    static BigInteger OnlyTheBeginning(ReadOnlySpan<byte> contents, byte sign)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(contents.Length);
        buffer.AsSpan(0, contents.Length).Fill(sign);
        BigInteger value = new(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }

    static BigInteger Another(ReadOnlySpan<byte> contents, byte[] other)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(contents.Length);
        contents.CopyTo(buffer);
        other.AsSpan(contents.Length).Clear();
        BigInteger value = new(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }

    static BigInteger Afterwards(ReadOnlySpan<byte> contents)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(contents.Length);
        contents.CopyTo(buffer);
        BigInteger value = new(buffer); // expect TARN007
        buffer.AsSpan(contents.Length).Clear();
        ArrayPool<byte>.Shared.Return(buffer);
        return value;
    }

    static void Emitted(Stream target, ReadOnlySpan<byte> contents)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(contents.Length);
        contents.CopyTo(buffer);
        buffer.AsSpan(contents.Length).Clear();
        target.Write(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

static class WrongLengths
{
    static void Prefixed(BinaryWriter target, string text)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(text.Length * 3);
        int count = System.Text.Encoding.UTF8.GetBytes(text, buffer);
        target.Write((ushort)buffer.Length); // expect TARN007
        target.Write(buffer, 0, count);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    static (string Text, int Count) Deconstructed(Stream source, int length)
    {
        var (buffer, count) = (ArrayPool<byte>.Shared.Rent(length), 0);
        count = source.Read(buffer, 0, length);
        (string Text, int Count) read = (System.Text.Encoding.UTF8.GetString(buffer), count); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    static int[] Spread(int[] values)
    {
        int[] buffer = ArrayPool<int>.Shared.Rent(values.Length);
        values.CopyTo(buffer, 0);
        int[] copy = [0, .. buffer]; // expect TARN007
        ArrayPool<int>.Shared.Return(buffer);
        return copy;
    }
}

static class RightLengths
{
    static void Prefixed(BinaryWriter target, string text)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(text.Length * 3);
        int count = System.Text.Encoding.UTF8.GetBytes(text, buffer);
        target.Write((ushort)count);
        target.Write(buffer, 0, count);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    static (string Text, int Count) Deconstructed(Stream source, int length)
    {
        var (buffer, count) = (ArrayPool<byte>.Shared.Rent(length), 0);
        count = source.Read(buffer, 0, length);
        (string Text, int Count) read = (System.Text.Encoding.UTF8.GetString(buffer, 0, count), count);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    static int[] Spread(int[] values)
    {
        int[] buffer = ArrayPool<int>.Shared.Rent(values.Length);
        values.CopyTo(buffer, 0);
        int[] copy = [0, .. buffer.AsSpan(0, values.Length)];
        ArrayPool<int>.Shared.Return(buffer);
        return copy;
    }
}
