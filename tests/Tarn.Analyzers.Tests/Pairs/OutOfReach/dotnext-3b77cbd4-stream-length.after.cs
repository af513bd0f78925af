// dotnet/dotNext, commit 3b77cbd4a "Fixed length  of rented memory stream" (RentedMemoryStream).
// The stream, which must not grow, took the length of the rented array for its capacity, so it held more than its
// maker had asked for. The fix passes the capacity asked for.
using System.Buffers;
using System.IO;

internal static class FixedStreams
{
    internal static void CopyHead(Stream source, Stream destination, int capacity)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(capacity);
        using (MemoryStream head = new(rented, 0, capacity, writable: true, publiclyVisible: true))
        {
            head.SetLength(0);
            Fill(source, head);
            head.Position = 0;
            head.CopyTo(destination);
        }

        ArrayPool<byte>.Shared.Return(rented);
    }

    private static void Fill(Stream source, MemoryStream head)
    {
        int value;
        while (head.Position < head.Capacity && (value = source.ReadByte()) >= 0)
        {
            head.WriteByte((byte)value);
        }
    }
}
