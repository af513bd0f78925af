using System;
using System.IO;
using CommunityToolkit.HighPerformance.Buffers;
using Microsoft.IO;
using Nerdbank.Streams;
using Newtonsoft.Json;
using System.ServiceModel.Channels;

internal static class ByName
{
    internal static void JsonPool(IArrayPool<char> pool, TextWriter output)
    {
        char[]? buffer = pool.Rent(10);
        buffer[0] = 'a';
        pool.Return(buffer);
        output.Write(buffer[0]); // expect TARN002
    }

    internal static void JsonPoolKept(IArrayPool<char> pool)
    {
        char[]? buffer = pool.Rent(10);
        buffer[0] = 'a';
        pool.Return(buffer);
    }

    internal static void Managed(BufferManager manager, Stream output)
    {
        byte[] buffer = manager.TakeBuffer(100);
        output.Write(buffer, 0, 100);
        manager.ReturnBuffer(buffer);
        manager.ReturnBuffer(buffer); // expect TARN001
    }

    internal static void ManagedWhole(BufferManager manager, Stream output)
    {
        byte[] buffer = manager.TakeBuffer(100);
        buffer[0] = 1;
        output.Write(buffer); // expect TARN007
        manager.ReturnBuffer(buffer);
    }

    internal static void ManagedLost(BufferManager manager, Stream output)
    {
        byte[] buffer = manager.TakeBuffer(100); // expect TARN011
        output.Write(buffer, 0, 100);
    }

    internal static int Spans()
    {
        using SpanOwner<byte> owner = SpanOwner<byte>.Allocate(10);
        return owner.Span[0];
    }

    internal static int SpansUsedLate()
    {
        SpanOwner<byte> owner = SpanOwner<byte>.Allocate(10);
        owner.Dispose();
        return owner.Span[0]; // expect TARN002
    }

    internal static long Streams(RecyclableMemoryStreamManager manager, byte[] data)
    {
        using Stream stream = manager.GetStream();
        stream.Write(data);
        return stream.Position;
    }

    internal static void StreamsLost(RecyclableMemoryStreamManager manager, byte[] data)
    {
        RecyclableMemoryStream stream = manager.GetStream(); // expect TARN011
        stream.Write(data);
    }

    internal static string StreamsRead(RecyclableMemoryStreamManager manager)
    {
        RecyclableMemoryStream stream = manager.GetStream();
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }

    internal static Stream StreamsHandedOut(RecyclableMemoryStreamManager manager) => manager.GetStream();

    internal static byte BytesKept(RecyclableMemoryStreamManager manager)
    {
        byte[] bytes;
        using (RecyclableMemoryStream stream = manager.GetStream())
        {
            stream.WriteByte(1);
            bytes = stream.GetBuffer();
        }

        return bytes[0]; // expect TARN002
    }

    internal static byte[] BytesCopied(RecyclableMemoryStreamManager manager)
    {
        using RecyclableMemoryStream stream = manager.GetStream();
        stream.WriteByte(1);
        return stream.ToArray();
    }

    internal static int WriterLost()
    {
        ArrayPoolBufferWriter<byte> writer = new(); // expect TARN011
        writer.Advance(1);
        return writer.WrittenSpan.Length;
    }

    internal static int WriterForgotten(bool isEmpty)
    {
        ArrayPoolBufferWriter<byte> writer = new(); // expect TARN011
        if (isEmpty)
        {
            return 0;
        }

        writer.Advance(1);
        writer.Dispose();
        return 1;
    }

    internal static int WriterUsedLate()
    {
        ArrayPoolBufferWriter<byte> writer = new();
        writer.Dispose();
        return writer.WrittenSpan.Length; // expect TARN002
    }

    internal static int WriterDisposed()
    {
        using ArrayPoolBufferWriter<byte> writer = new();
        writer.Advance(1);
        return writer.WrittenSpan.Length;
    }

    internal static ArrayPoolBufferWriter<byte> WriterHandedOut() => new();

    internal static void SequenceLost()
    {
        Sequence<byte> sequence = new(); // expect TARN011
        sequence.Advance(1);
    }

    internal static void SequenceReset()
    {
        Sequence<byte> sequence = new();
        sequence.Advance(1);
        sequence.Reset();
    }

    internal static void SequenceUsedAgain()
    {
        using Sequence<byte> sequence = new();
        sequence.Advance(1);
        sequence.Dispose();
        sequence.Advance(1);
    }
}

namespace Newtonsoft.Json
{
    internal interface IArrayPool<T>
    {
        T[] Rent(int minimumLength);

        void Return(T[]? array);
    }
}

namespace System.ServiceModel.Channels
{
    internal abstract class BufferManager
    {
        public abstract byte[] TakeBuffer(int bufferSize);

        public abstract void ReturnBuffer(byte[] buffer);
    }
}

namespace Nerdbank.Streams
{
    internal sealed class Sequence<T> : IDisposable
    {
        public void Advance(int count) => Count += count;

        public int Count { get; private set; }

        public void Reset() => Count = 0;

        public void Dispose() => Reset();
    }
}

namespace CommunityToolkit.HighPerformance.Buffers
{
    internal sealed class ArrayPoolBufferWriter<T> : System.Buffers.IMemoryOwner<T>
    {
        public ReadOnlySpan<T> WrittenSpan => Memory.Span;

        public Memory<T> Memory { get; private set; }

        public void Advance(int count) => Memory = new T[count];

        public void Dispose() => Memory = default;
    }

    internal readonly ref struct SpanOwner<T>
    {
        private readonly T[] _array;

        private SpanOwner(T[] array) => _array = array;

        public Span<T> Span => _array;

        public static SpanOwner<T> Allocate(int size) => new(new T[size]);

        public void Dispose()
        {
        }
    }
}

namespace Microsoft.IO
{
    internal sealed class RecyclableMemoryStream : MemoryStream
    {
    }

    internal sealed class RecyclableMemoryStreamManager
    {
        public RecyclableMemoryStream GetStream() => new();
    }
}
