using System;
using System.Buffers;
using System.IO;
using System.Text;

internal static class ReadWhole
{
    internal static string Text(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        string text = Decode(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return text;
    }

    internal static void Packed(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Write(target, buffer); // expect TARN007
        WriteSpan(target, buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static bool Filled(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(6);
        bool isFull = source.ReadFully(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return isFull;
    }

    internal static int Summed(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int sum = Sum(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return sum;
    }

    internal static void Cut(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        WriteSpan(target, buffer.AsSpan(0, length));
        WriteCount(target, buffer, length);
        Begin(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void Appended(Appender target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        target.Append(buffer); // expect TARN007
        target.Append(buffer.AsSpan(0, length));
        target.Fit(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    private static string Decode(byte[] bytes) => Encoding.UTF8.GetString(bytes);

    private static void Write(Stream target, byte[] bytes) => target.Write(bytes, 0, bytes.Length);

    private static void WriteSpan(Stream target, ReadOnlySpan<byte> bytes) => target.Write(bytes);

    private static void WriteCount(Stream target, byte[] bytes, int count) => target.Write(bytes, 0, count);

    private static void Begin(byte[] bytes) => bytes.AsSpan(0, 4).Clear();

    private static int Sum(byte[] bytes)
    {
        int sum = 0;
        foreach (byte one in bytes)
        {
            sum += one;
        }

        return sum;
    }

    private static bool ReadFully(this Stream source, byte[] buffer)
    {
        int total = 0;
        int read;
        while ((read = source.Read(buffer, total, buffer.Length - total)) > 0)
        {
            total += read;
        }

        return total == buffer.Length;
    }
}

/// <summary>A writer with an array of its own.</summary>
internal sealed class Appender
{
    private readonly byte[] _buffer = new byte[1000];
    private int _count;

    internal void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_buffer.AsSpan(_count));
        _count += bytes.Length;
    }

    internal void Fit(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length >= 4)
        {
            bytes.Slice(0, 4).CopyTo(_buffer);
            _count = Math.Max(_count, 4);
        }
    }
}
