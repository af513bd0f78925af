using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;

internal sealed class Stores
{
    private readonly List<byte[]> _list = [];
    private readonly ConcurrentQueue<ArraySegment<byte>> _queue = new();
    private byte[]? _kept;
    private byte[]? _other;
    private byte[]? _scratch;

    private byte[]? Kept { get; set; }

    internal int InField(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _kept = buffer; // expect TARN003
        int read = stream.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal int InFieldWhileOthersRun(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            _other = buffer; // expect TARN003
            return Work(buffer);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal int InProperty(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Kept = buffer; // expect TARN003
        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    internal void InList(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _list.Add(buffer); // expect TARN003
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal void SegmentInQueue(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ArraySegment<byte> segment = new(buffer, 0, stream.Read(buffer, 0, length));
        _queue.Enqueue(segment); // expect TARN003
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static Message InMessage(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            int read = stream.Read(buffer, 0, length);
            return new Message { Body = buffer.AsMemory(0, read) }; // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static Row InRecord(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int read = stream.Read(buffer, 0, length);
        Row row = new(buffer, read);
        ArrayPool<byte>.Shared.Return(buffer);
        return row; // expect TARN003
    }

    internal static (ReadOnlyMemory<byte> Body, int Length) InTuple(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            int read = stream.Read(buffer, 0, length);
            return (buffer.AsMemory(0, read), read); // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static Message Copied(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            int read = stream.Read(buffer, 0, length);
            return new Message { Body = buffer.AsSpan(0, read).ToArray() };
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static Message TakenOutAgain(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Message message = new() { Body = buffer };
        stream.Write(message.Body.Span[..length]);
        message.Body = default;
        ArrayPool<byte>.Shared.Return(buffer);
        return message;
    }

    internal void FieldForAWhile(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _kept = buffer;
        Work(buffer);
        _kept = null;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal void ReturnedByField(int length)
    {
        _scratch = ArrayPool<byte>.Shared.Rent(length);
        Work(_scratch);
        ArrayPool<byte>.Shared.Return(_scratch);
        _scratch = null;
    }

    internal void ListForAWhile(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _list.Add(buffer);
        _list.RemoveAt(_list.Count - 1);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal void ListClearedByOthers(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _list.Add(buffer);
        Clear();
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal void KeptOnSuccess(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (stream.Read(buffer, 0, length) == length)
        {
            _kept = buffer;
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    private void Clear() => _list.Clear();

    private int Work(byte[] buffer) => buffer[0] + (_kept?.Length ?? 0);

    internal sealed class Message
    {
        internal ReadOnlyMemory<byte> Body { get; set; }
    }

    internal sealed record Row(byte[] Body, int Length);
}
