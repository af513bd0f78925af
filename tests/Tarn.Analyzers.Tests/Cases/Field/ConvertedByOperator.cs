using System.Buffers;

/// <summary>A conversion of the program's own wraps the array, and the wrapper keeps it.</summary>
internal static class ConvertedByOperator
{
    internal static Segment Wrapped(int length)
    {
        Segment segment = ArrayPool<byte>.Shared.Rent(length);
        return segment;
    }

    internal static int Unwrapped(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        return buffer[0];
    }

    internal readonly struct Segment(byte[] array)
    {
        internal byte[] Array => array;

        public static implicit operator Segment(byte[] array) => new(array);
    }
}
