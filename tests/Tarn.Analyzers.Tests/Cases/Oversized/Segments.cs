using System;
using System.Buffers;
using System.IO;
using System.Text;

/// <summary>Arrays of segments, which are longer than the segments.</summary>
internal static class Segments
{
    internal static void Written(Stream stream, int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        ArraySegment<byte> segment = new(array, 0, length);
        stream.Write(segment.Array!, 0, segment.Array!.Length); // expect TARN007
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static string Decoded(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        ArraySegment<byte> segment = new(array, 0, length);
        string text = Encoding.UTF8.GetString(segment.Array!, 0, segment.Array!.Length); // expect TARN007
        ArrayPool<byte>.Shared.Return(array);
        return text;
    }

    internal static void OfItsLength(Stream stream, int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        ArraySegment<byte> segment = new(array, 0, length);
        stream.Write(segment.Array!, segment.Offset, segment.Count);
        ArrayPool<byte>.Shared.Return(array);
    }
}
