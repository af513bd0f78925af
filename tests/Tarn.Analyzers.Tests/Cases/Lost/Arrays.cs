using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

internal sealed class Arrays
{
    private readonly List<byte[]> _kept = [];
    private byte[]? _field;

    internal byte[]? HandedField => _field;
    private bool _owns;

    internal byte[]? Property { get; set; }

    internal static int NeverReturned(string text)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(text.Length * 3); // expect TARN011
        return Encoding.UTF8.GetBytes(text, buffer);
    }

    internal static int EarlyReturn(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        int read = stream.Read(buffer, 0, length);
        if (read == 0)
        {
            return -1;
        }

        int sum = Sum(buffer, read);
        ArrayPool<byte>.Shared.Return(buffer);
        return sum;
    }

    internal static int EarlyReturnBehindAReturningOne(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        int read = stream.Read(buffer, 0, length);
        if (read == 0)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            return -1;
        }

        if (buffer[0] == 0)
        {
            return -2;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static bool StackOrPool(ReadOnlySpan<char> text)
    {
        byte[]? rented = null;
        Span<byte> bytes = text.Length <= 64
            ? stackalloc byte[256]
            : (rented = ArrayPool<byte>.Shared.Rent(text.Length * 4)); // expect TARN011
        int written = Encoding.UTF8.GetBytes(text, bytes);
        if (written < 3)
        {
            return false;
        }

        bool isMarked = bytes[0] == 0xEF;
        if (rented != null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return isMarked;
    }

    internal static int Finally(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Thread.Sleep(0);
        try
        {
            return stream.Read(buffer, 0, length) == 0 ? -1 : Sum(buffer, length);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static int FinallyAtOnce(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return stream.Read(buffer, 0, length);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static int LostWhenThrown(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int read = stream.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static byte[] GrowInALoop(Stream stream)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(256);
        int filled = 0;
        while (stream.Read(buffer, filled, buffer.Length - filled) is > 0 and int read)
        {
            filled += read;
            if (filled == buffer.Length)
            {
                byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
                buffer.AsSpan(0, filled).CopyTo(larger);
                ArrayPool<byte>.Shared.Return(buffer);
                buffer = larger;
            }
        }

        return buffer;
    }

    internal static byte[] RentedForTheCaller(int length) => ArrayPool<byte>.Shared.Rent(length);

    internal static ArraySegment<byte> SegmentForTheCaller(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return new ArraySegment<byte>(buffer, 0, length);
    }

    internal static void OutForTheCaller(int length, out byte[] buffer) => buffer = ArrayPool<byte>.Shared.Rent(length);

    internal void Kept(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _kept.Add(buffer);
    }

    internal void InField(int length) => _field = ArrayPool<byte>.Shared.Rent(length);

    internal void InProperty(int length) => Property = ArrayPool<byte>.Shared.Rent(length);

    internal static void InElement(byte[][] all, int length) => all[0] = ArrayPool<byte>.Shared.Rent(length);

    internal static Keeper InWrapper(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return new Keeper(buffer);
    }

    internal static Keeper InInitializer(int length) => new(null) { Kept = ArrayPool<byte>.Shared.Rent(length) };

    internal static (byte[], int) InTuple(int length) => (ArrayPool<byte>.Shared.Rent(length), length);

    internal static void Given(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        Sum(buffer, length);
    }

    internal static void GivenOnOnePath(int length, bool toAnother)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        buffer[0] = 1;
        if (toAnother)
        {
            Sum(buffer, length);
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void TriedToGive(Queue<byte[]> queue, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (!TryGive(queue, buffer))
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal void UnderACondition(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        if (_owns)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void OneConditionTwice(int length, bool isRented)
    {
        byte[] buffer = isRented ? ArrayPool<byte>.Shared.Rent(length) : new byte[length];
        buffer[0] = 1;
        if (isRented)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void ByLocalFunction(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        Finish();

        void Finish() => ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static Action Captured(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return () => ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task StillWorking(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Task<int> reading = stream.ReadAsync(buffer, 0, length);
        if (await Task.WhenAny(reading, Task.Delay(10)) != reading)
        {
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task LeftBehind(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Task<int> reading = stream.ReadAsync(buffer, 0, length);
        await Task.WhenAny(reading, Task.Delay(10));
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN006
    }

    internal static async Task AskedAfterwards(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Task<int> reading = stream.ReadAsync(buffer, 0, length);
        await Task.WhenAny(reading, Task.Delay(10));
        if (reading.IsCompleted)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static int AbandonedWhenItThrows(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        if (stream.Read(buffer, 0, length) != length)
        {
            throw new EndOfStreamException();
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    private static int Sum(byte[] buffer, int length) => length == 0 ? 0 : buffer[0];

    private static bool TryGive(Queue<byte[]> queue, byte[] buffer)
    {
        queue.Enqueue(buffer);
        return true;
    }

    internal sealed class Keeper(byte[]? kept)
    {
        internal byte[]? Kept { get; set; } = kept;
    }
}
