using System.Buffers;

/// <summary>An unsafe expression is the expression in it.</summary>
internal static unsafe class UnsafeExpressions
{
    internal static int Rents(int length)
    {
        byte[] buffer = unsafe(ArrayPool<byte>.Shared.Rent(length));
        fixed (byte* first = buffer)
        {
            int value = unsafe(*first);
            ArrayPool<byte>.Shared.Return(unsafe(buffer));
            return value;
        }
    }

    internal static void Twice(int length)
    {
        byte[] buffer = unsafe(ArrayPool<byte>.Shared.Rent(length));
        ArrayPool<byte>.Shared.Return(unsafe(buffer));
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
    }

    internal static byte Afterwards(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(buffer);
        return unsafe(buffer[0]); // expect TARN002
    }

    internal static byte[] Leaves(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return unsafe(buffer);
    }
}
