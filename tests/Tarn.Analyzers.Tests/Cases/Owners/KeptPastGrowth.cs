using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using Tarn;

/// <summary>Silent: memory of a writer is used before the next call that may grow the writer, or asked for again.</summary>
internal sealed class UsedBeforeGrowth
{
    internal static void Patched(ReadOnlySpan<byte> body)
    {
        using PooledWriter<byte> writer = new();
        WriterReservation<byte> length = writer.Reserve(4);
        writer.Write(body);
        BinaryPrimitives.WriteInt32LittleEndian(length.Span, body.Length);
    }

    internal static int ReadBack(ReadOnlySpan<byte> body)
    {
        using PooledWriter<byte> writer = new();
        Span<byte> room = writer.GetSpan(body.Length);
        body.CopyTo(room);
        writer.Advance(body.Length);
        return room[0] + writer.WrittenCount;
    }

    internal static void InPieces(PooledWriter<byte> writer, int count)
    {
        for (int i = 0; i < count; i++)
        {
            Span<byte> room = writer.GetSpan(8);
            room[0] = (byte)i;
            writer.Advance(1);
        }
    }

    internal static int AskedAgain(PooledWriter<byte> writer, ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> written = writer.WrittenSpan;
        int first = written[0];
        writer.Write(body);
        written = writer.WrittenSpan;
        return first + written[0];
    }

    internal static void OfItself(PooledWriter<byte> writer)
    {
        ReadOnlySpan<byte> written = writer.WrittenSpan;
        writer.Write(written);
        writer.Write(writer.WrittenSpan[..3]);
    }

    internal static int OfAnother(PooledWriter<byte> one, PooledWriter<byte> other)
    {
        ReadOnlySpan<byte> written = one.WrittenSpan;
        other.Write(written);
        other.GetSpan(written.Length).Clear();
        return written[0];
    }

    internal static int LengthOnly(PooledWriter<byte> writer, ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> written = writer.WrittenSpan;
        writer.Write(body);
        return written.Length;
    }

    internal static int OnOnePath(PooledWriter<byte> writer, ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> written = writer.WrittenSpan;
        if (!body.IsEmpty)
        {
            writer.Write(body);
            written = default;
        }

        return written.IsEmpty ? 0 : written[0];
    }

    internal static int Copied(PooledWriter<byte> writer, ReadOnlySpan<byte> body)
    {
        byte[] before = writer.WrittenSpan.ToArray();
        int count = writer.WrittenSpan.IndexOf((byte)0);
        writer.Write(body);
        return before[0] + count;
    }

    internal static byte AfterClear(PooledWriter<byte> writer)
    {
        ReadOnlySpan<byte> written = writer.WrittenSpan;
        writer.Clear();
        return written[0];
    }

    internal static long Segments(SequenceBuilder<byte> builder, ReadOnlySpan<byte> body)
    {
        Span<byte> room = builder.GetSpan(4);
        builder.Advance(4);
        builder.Write(body);
        BinaryPrimitives.WriteInt32LittleEndian(room, body.Length);
        return builder.Length;
    }

    internal static void Replaced(PooledWriter<byte> writer, PooledWriter<byte> next)
    {
        Span<byte> room = writer.GetSpan(4);
        writer = next;
        writer.Write(room);
        room[0] = 1;
    }

    internal static string Scratch(int value)
    {
        using ScratchWriter<char> text = new(stackalloc char[16]);
        text.AppendSpan(2).Fill(' ');
        Span<char> last = text.AppendSpan(1);
        last[0] = '.';
        text.Append($"{value}");
        Span<char> all = text.WrittenSpan;
        all.Reverse();
        return text.ToString();
    }
}

/// <summary>Memory of a writer that is used although the writer may have grown, and returned the memory to its pool.</summary>
internal sealed class KeptPastGrowth
{
    private readonly PooledWriter<byte> _writer = new();

    internal static void Header(ReadOnlySpan<byte> body)
    {
        using PooledWriter<byte> writer = new();
        Span<byte> header = writer.GetSpan(4);
        writer.Advance(4);
        writer.Write(body);
        BinaryPrimitives.WriteInt32LittleEndian(header, body.Length); // expect TARN002
    }

    internal static int Written(PooledWriter<byte> writer, ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> written = writer.WrittenSpan;
        writer.Write(body);
        return written[0]; // expect TARN002
    }

    internal static void Doubled(PooledWriter<byte> writer)
    {
        ReadOnlyMemory<byte> written = writer.WrittenMemory;
        Span<byte> room = writer.GetSpan(written.Length);
        written.Span.CopyTo(room); // expect TARN002
        writer.Advance(written.Length);
    }

    internal static void InPart(PooledWriter<byte> writer, ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> part = writer.WrittenSpan[1..];
        _ = writer.Reserve(4);
        writer.Write(part); // expect TARN002
    }

    internal void OfField(ReadOnlySpan<byte> body)
    {
        Memory<byte> room = _writer.GetMemory(4);
        _writer.Write(body);
        room.Span[0] = 1; // expect TARN002
    }

    internal static void OnEachPath(PooledWriter<byte> writer, ReadOnlySpan<byte> body, bool isShort)
    {
        Span<byte> header = writer.GetSpan(4);
        writer.Advance(4);
        if (isShort)
        {
            writer.Write((byte)body.Length);
        }
        else
        {
            writer.Write(body);
        }

        header[0] = 1; // expect TARN002 TARN002
    }

    internal static string Scratch(int value)
    {
        using ScratchWriter<char> text = new(stackalloc char[16]);
        Span<char> first = text.AppendSpan(1);
        text.Append(value > 0 ? "more than nothing" : "nothing at all");
        first[0] = '('; // expect TARN002
        return text.ToString();
    }

    internal static string Formatted(int value)
    {
        using ScratchWriter<char> text = new(stackalloc char[16]);
        text.Append("at ");
        Span<char> before = text.WrittenSpan;
        text.AppendFormatted(value);
        before[0] = 'A'; // expect TARN002
        return text.ToString();
    }
}
