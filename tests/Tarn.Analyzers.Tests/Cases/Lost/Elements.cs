using System.Buffers;

internal static class Elements
{
    internal static byte Value(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return buffer[0];
    }

    internal static byte ValueOfReturned(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(buffer);
        return buffer[0]; // expect TARN002
    }

    internal static ref byte Reference(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return ref buffer[0];
    }
}
