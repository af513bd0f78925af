using System;
using System.Buffers;

internal static class NamedForWriting
{
    internal static void Whole(IWire wire, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        wire.WriteRaw(new ReadOnlySequence<byte>(buffer)); // expect TARN007
        wire.Send(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void Part(IWire wire, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        wire.WriteRaw(new ReadOnlySequence<byte>(buffer, 0, length));
        wire.Send(buffer.AsSpan(0, length));
        wire.SendCounted(buffer, length);
        wire.WriteTo(buffer);
        wire.Examine(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    /// <summary>The source shows that only the beginning is read.</summary>
    internal static void Seen(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        WriteFirst(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    /// <summary>A stub shows nothing.</summary>
    internal static void Unwritten(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        WriteLater(buffer); // expect TARN007
    }

    internal static void UnwrittenPart(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer[0] = 1;
        WriteLater(buffer.AsSpan(0, length));
    }

    private static void WriteLater(ReadOnlySpan<byte> bytes) => throw new NotSupportedException();

    private static void WriteFirst(ReadOnlySpan<byte> bytes) => Console.WriteLine(bytes[0]);

    internal interface IWire
    {
        void WriteRaw(ReadOnlySequence<byte> bytes);

        void Send(ReadOnlySpan<byte> bytes);

        void SendCounted(byte[] bytes, int count);

        void WriteTo(Span<byte> destination);

        void Examine(ReadOnlySpan<byte> bytes);
    }
}
