using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;

/// <summary>Objects that rent an array when they are created, and return it when they are disposed.</summary>
internal static class Made
{
    internal static int Lost(ReadOnlySpan<byte> bytes)
    {
        Writer writer = new(100); // expect TARN011
        writer.Write(bytes);
        return writer.Count;
    }

    internal static int LostAsInterface()
    {
        IBufferWriter<byte> writer = new Writer(100); // expect TARN011
        writer.Advance(1);
        return 1;
    }

    internal static int Forgotten(ReadOnlySpan<byte> bytes)
    {
        Writer writer = new(100); // expect TARN011
        if (bytes.IsEmpty)
        {
            return 0;
        }

        writer.Write(bytes);
        int count = writer.Count;
        writer.Dispose();
        return count;
    }

    internal static int LostByInitializer() => new Initialized().First; // expect TARN011

    internal static int Used(ReadOnlySpan<byte> bytes)
    {
        using Writer writer = new(100);
        writer.Write(bytes);
        return writer.Count;
    }

    internal static int UsedAsInterface()
    {
        IBufferWriter<byte> writer = new Writer(100);
        writer.Advance(1);
        ((IDisposable)writer).Dispose();
        return 1;
    }

    internal static void UsedByPattern()
    {
        object writer = new Writer(100);
        (writer as IDisposable)?.Dispose();
    }

    internal static Writer HandedOut() => new(100);

    internal static Writer HandedOutByItself()
    {
        Writer writer = new(100);
        writer.Advance(1);
        return writer.Clear();
    }

    internal static void Stored(List<Writer> all) => all.Add(new Writer(100));

    internal static void Closed(ReadOnlySpan<byte> bytes)
    {
        Closable writer = new();
        writer.Write(bytes);
        writer.Complete();
    }

    internal static byte[] Taken()
    {
        Writer writer = new(100);
        return writer.Buffer;
    }

    internal static int Wrapped()
    {
        Writer writer = new(100);
        using Wrapper wrapper = new(writer);
        return writer.Count;
    }

    internal static int Lazily(ReadOnlySpan<byte> bytes)
    {
        Lazy writer = new();
        return writer.First(bytes);
    }

    internal sealed class Writer(int capacity) : IBufferWriter<byte>, IDisposable
    {
        private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(capacity);

        internal int Count { get; private set; }

        internal byte[] Buffer => _buffer!;

        internal Writer Clear()
        {
            Count = 0;
            return this;
        }

        internal void Write(ReadOnlySpan<byte> bytes)
        {
            bytes.CopyTo(_buffer.AsSpan(Count));
            Count += bytes.Length;
        }

        public void Advance(int count) => Count += count;

        public Memory<byte> GetMemory(int sizeHint = 0) => _buffer.AsMemory(Count);

        public Span<byte> GetSpan(int sizeHint = 0) => _buffer.AsSpan(Count);

        public void Dispose()
        {
            if (_buffer is not null)
            {
                ArrayPool<byte>.Shared.Return(_buffer);
                _buffer = null;
            }
        }
    }

    internal sealed class Initialized : IDisposable
    {
        private byte[]? _buffer;

        internal Initialized() => _buffer = ArrayPool<byte>.Shared.Rent(10);

        internal int First => _buffer![0];

        public void Dispose()
        {
            if (_buffer is not null)
            {
                ArrayPool<byte>.Shared.Return(_buffer);
                _buffer = null;
            }
        }
    }

    internal sealed class Closable : IDisposable
    {
        private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(10);

        internal void Write(ReadOnlySpan<byte> bytes) => bytes.CopyTo(_buffer);

        internal void Complete() => End();

        public void Dispose()
        {
            if (_buffer is not null)
            {
                ArrayPool<byte>.Shared.Return(_buffer);
                _buffer = null;
            }
        }

        private void End()
        {
            if (_buffer is not null)
            {
                ArrayPool<byte>.Shared.Return(_buffer);
                _buffer = null;
            }
        }
    }

    internal sealed class Lazy : IDisposable
    {
        private byte[]? _buffer;

        internal int First(ReadOnlySpan<byte> bytes)
        {
            if (bytes.Length > 100)
            {
                _buffer ??= ArrayPool<byte>.Shared.Rent(bytes.Length);
                bytes.CopyTo(_buffer);
            }

            return bytes[0];
        }

        public void Dispose()
        {
            if (_buffer is not null)
            {
                ArrayPool<byte>.Shared.Return(_buffer);
                _buffer = null;
            }
        }
    }

    internal sealed class Wrapper(IDisposable inner) : IDisposable
    {
        public void Dispose() => inner.Dispose();
    }
}
