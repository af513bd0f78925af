using System.Buffers;

internal static class ByReference
{
    internal static ref byte First(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return ref buffer[0];
    }
}
