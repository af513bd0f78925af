using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

/// <summary>Objects that get a rented array, and return it when they are disposed.</summary>
internal static class OverRented
{
    internal static int Lost(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        Response response = new(array, length); // expect TARN011
        return response.Length;
    }

    internal static int Forgotten(int length)
    {
        Response response = Receive(length); // expect TARN011
        if (response.Length == 0)
        {
            return 0;
        }

        using (response)
        {
            return response.Span[0];
        }
    }

    internal static async Task<int> ForgottenInTask(Stream stream)
    {
        Response response = await ReceiveAsync(stream); // expect TARN011
        return response.Length;
    }

    internal static async Task Ignored(Stream stream) => await ReceiveAsync(stream); // expect TARN011

    internal static void IgnoredAtOnce(int length) => Receive(length); // expect TARN011

    internal static int Disposed(int length)
    {
        using Response response = Receive(length);
        return response.Length;
    }

    internal static async Task<int> DisposedInTask(Stream stream)
    {
        using Response response = await ReceiveAsync(stream);
        return response.Length;
    }

    internal static Response Receive(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        array[0] = 1;
        return new Response(array, length);
    }

    internal static async Task<Response> ReceiveAsync(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(100);
        int length = await stream.ReadAsync(array.AsMemory(0, 100));
        return new Response(array, length);
    }

    internal static Response HandedOn(int length) => Receive(length);

    internal static void Queued(Queue<Response> queue, int length) => queue.Enqueue(Receive(length));

    internal static int ReturnedByMethod(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        Response response = new(array, length);
        int count = response.Length;
        ArrayPool<byte>.Shared.Return(array);
        return count;
    }

    internal static int OverOwnArray(int length) => new Response(new byte[length], length).Length;

    internal static int OfMaybeForeign(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        MaybeForeign response = new(array);
        return response.Length;
    }

    internal static int OfPrimary(int length)
    {
        Primary response = new(ArrayPool<byte>.Shared.Rent(length), length); // expect TARN011
        return response.Length;
    }

    internal static void OfStruct(int length)
    {
        Segment segment = new(ArrayPool<byte>.Shared.Rent(length)); // expect TARN011
        segment.Fill(1);
    }

    internal sealed class Response : IDisposable
    {
        private byte[]? _array;

        internal Response(byte[] array, int length)
        {
            _array = array;
            Length = length;
        }

        internal int Length { get; }

        internal ReadOnlySpan<byte> Span => _array.AsSpan(0, Length);

        public void Dispose()
        {
            if (_array is not null)
            {
                ArrayPool<byte>.Shared.Return(_array);
                _array = null;
            }
        }
    }

    internal sealed class Primary(byte[]? array, int length) : IDisposable
    {
        internal int Length => length;

        public void Dispose()
        {
            if (array is not null)
            {
                ArrayPool<byte>.Shared.Return(array);
                array = null;
            }
        }
    }

    internal struct Segment : IDisposable
    {
        private byte[]? _array;

        internal Segment(byte[] array) => _array = array;

        internal readonly void Fill(byte value) => _array.AsSpan().Fill(value);

        public void Dispose()
        {
            if (_array is not null)
            {
                ArrayPool<byte>.Shared.Return(_array);
                _array = null;
            }
        }
    }

    internal sealed class MaybeForeign : IDisposable
    {
        private readonly bool _isRented;
        private byte[]? _array;

        internal MaybeForeign(byte[] array) => _array = array;

        internal MaybeForeign(int length)
        {
            _array = ArrayPool<byte>.Shared.Rent(length);
            _isRented = true;
        }

        internal int Length => _array!.Length;

        public void Dispose()
        {
            if (_isRented && _array is not null)
            {
                ArrayPool<byte>.Shared.Return(_array);
                _array = null;
            }
        }
    }
}
