using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using Tarn;
using Tarn.Native;

/// <summary>Writers of Tarn, and what their contents move to.</summary>
internal sealed class Writers
{
    private PooledWriter<byte> _kept = new();

    internal static int Lost(ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new(); // expect TARN011
        writer.Write(bytes);
        return writer.WrittenCount;
    }

    internal static int LostWhenEmpty(ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new(16); // expect TARN011
        writer.Write(bytes);
        if (bytes.IsEmpty)
        {
            return 0;
        }

        writer.Dispose();
        return 1;
    }

    internal static int UsedAfter(ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new();
        writer.Write(bytes);
        writer.Dispose();
        return writer.WrittenSpan.Length; // expect TARN002
    }

    internal static int NativeLost(NativeHeap heap, ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new(heap); // expect TARN011
        writer.Write(bytes);
        return writer.WrittenCount;
    }

    internal static int NativeUsedAfter(NativeHeap heap, ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new(heap, capacity: 100);
        writer.Write(bytes);
        writer.Dispose();
        return writer.WrittenSpan.Length; // expect TARN002
    }

    internal static IMemoryOwner<byte> Native(NativeHeap heap, ReadOnlySpan<byte> bytes)
    {
        using PooledWriter<byte> writer = new(heap);
        writer.Write(bytes);
        return writer.Detach();
    }

    internal static PooledWriter<byte> NativeHandedOut(NativeHeap heap) => new(heap, maxCount: 100);

    internal static ReadOnlyMemory<byte> Outlived(ReadOnlySpan<byte> bytes)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(bytes);
        return writer.WrittenMemory; // expect TARN003
    }

    internal static int Using(ReadOnlySpan<byte> bytes)
    {
        using PooledWriter<byte> writer = new();
        WriterReservation<byte> length = writer.Reserve(1);
        writer.Write(bytes);
        length.Span[0] = (byte)writer.WrittenCount;
        writer.Dispose();
        writer.Dispose();
        return bytes.Length;
    }

    internal static byte[] Serialized(object value)
    {
        using PooledWriter<byte> writer = new();
        using (Utf8JsonWriter json = new(writer))
        {
            JsonSerializer.Serialize(json, value);
        }

        return writer.WrittenSpan.ToArray();
    }

    internal static PooledWriter<byte> HandedOut(byte first)
    {
        PooledWriter<byte> writer = new();
        writer.Write(first);
        return writer;
    }

    internal void Kept(byte first)
    {
        PooledWriter<byte> writer = new();
        writer.Write(first);
        _kept = writer;
    }

    internal static int DetachedAndLost(ReadOnlySpan<byte> bytes)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(bytes);
        IMemoryOwner<byte> message = writer.Detach(); // expect TARN011
        return message.Memory.Length;
    }

    internal static int DetachedAndUsedAfter(ReadOnlySpan<byte> bytes)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(bytes);
        IMemoryOwner<byte> message = writer.Detach();
        message.Dispose();
        return message.Memory.Length; // expect TARN002
    }

    internal static int DetachedAndUsedAgain(ReadOnlySpan<byte> bytes)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(bytes);
        using IMemoryOwner<byte> first = writer.Detach();
        writer.Write(bytes);
        using IMemoryOwner<byte> second = writer.Detach();
        return first.Memory.Length + second.Memory.Length + writer.WrittenCount;
    }

    internal static int DetachedAfterDispose(ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new();
        writer.Write(bytes);
        writer.Dispose();
        using IMemoryOwner<byte> message = writer.Detach(); // expect TARN002
        return message.Memory.Length;
    }

    internal static IMemoryOwner<byte> DetachedAndHandedOut(ReadOnlySpan<byte> bytes)
    {
        PooledWriter<byte> writer = new();
        writer.Write(bytes);
        return writer.Detach();
    }

    internal static void DetachedAndQueued(ReadOnlySpan<byte> bytes, Queue<IMemoryOwner<byte>> queue)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(bytes);
        queue.Enqueue(writer.Detach());
    }

    internal static long BuilderLost(ReadOnlySpan<byte> bytes)
    {
        SequenceBuilder<byte> builder = new(); // expect TARN011
        builder.Write(bytes);
        return builder.Length;
    }

    internal static long BuilderUsedAfter(ReadOnlySpan<byte> bytes)
    {
        SequenceBuilder<byte> builder = new(BufferPool<byte>.Shared);
        builder.Write(bytes);
        builder.Dispose();
        return builder.Sequence.Length; // expect TARN002
    }

    internal static long SequenceLost(ReadOnlySpan<byte> bytes)
    {
        using SequenceBuilder<byte> builder = new();
        builder.Write(bytes);
        OwnedSequence<byte> owned = builder.Detach(); // expect TARN011
        return owned.Sequence.Length;
    }

    internal static long SequenceUsedAfter(ReadOnlySpan<byte> bytes)
    {
        using SequenceBuilder<byte> builder = new();
        builder.Write(bytes);
        OwnedSequence<byte> owned = builder.Detach();
        ReadOnlySequence<byte> sequence = owned.Sequence;
        owned.Dispose();
        return sequence.FirstSpan[0]; // expect TARN002
    }

    internal static long Sequences(ReadOnlySpan<byte> bytes, Stream target)
    {
        using SequenceBuilder<byte> builder = new();
        builder.Write(bytes);
        builder.Append(BufferPool<byte>.Shared.LeaseMemory(100));
        builder.AppendReference(bytes.ToArray());
        builder.AdvanceTo(builder.Sequence.GetPosition(1));
        using OwnedSequence<byte> owned = builder.Detach();
        foreach (ReadOnlyMemory<byte> part in owned.Sequence)
        {
            target.Write(part.Span);
        }

        builder.Clear();
        return owned.Length + builder.Length;
    }

    internal static OwnedSequence<byte> SequenceHandedOut(ReadOnlySpan<byte> bytes)
    {
        using SequenceBuilder<byte> builder = new();
        builder.Write(bytes);
        return builder.Detach();
    }

    internal static string ScratchLost(int value)
    {
        ScratchWriter<char> text = new(stackalloc char[16]); // expect TARN011
        text.Append("at ");
        text.Append((char)value);
        return text.ToString();
    }

    internal static int ScratchUsedAfter(int value)
    {
        ScratchWriter<char> text = new(stackalloc char[16]);
        text.Append($"at {value}");
        text.Dispose();
        return text.WrittenSpan.Length; // expect TARN002
    }

    internal static string Scratch(int value)
    {
        using ScratchWriter<char> text = new(stackalloc char[16], BufferPool<char>.Shared);
        text.Append($"at {value}");
        text.Append('.');
        text.AppendSpan(2).Fill(' ');
        return text.ToString();
    }

    internal static string ScratchByReference(int value)
    {
        ScratchWriter<char> text = new(stackalloc char[16]);
        try
        {
            Add(ref text, value);
            return text.ToString();
        }
        finally
        {
            text.Dispose();
        }
    }

    private static void Add(ref ScratchWriter<char> text, int value) => text.Append($"{value}");
}
