using System;
using System.IO;
using CommunityToolkit.HighPerformance.Buffers;
using Microsoft.IO;
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

namespace CommunityToolkit.HighPerformance.Buffers
{
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
