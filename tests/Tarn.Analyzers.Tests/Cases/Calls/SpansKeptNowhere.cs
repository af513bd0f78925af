using System;
using System.Buffers;

internal static class SpansKeptNowhere
{
    internal static int Copied(ReadOnlySpan<byte> text)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(text.Length); // expect TARN011
        return CopyTo(text, buffer);
    }

    internal static void Swapped<T>(Span<T> one, Span<T> other)
    {
        T[] buffer = ArrayPool<T>.Shared.Rent(one.Length); // expect TARN011
        Swap(one, other, buffer);
    }

    internal static byte OfReference(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Reader reader = default;
        reader.Reset(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return 0;
    }

    private static int CopyTo(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        int count = 0;
        while (!text.IsEmpty)
        {
            text.Slice(0, 1).CopyTo(destination);
            destination = destination.Slice(1);
            text = text.Slice(1);
            count++;
        }

        return count;
    }

    private static void Swap<T>(Span<T> one, Span<T> other, Span<T> buffer)
    {
        int count = Math.Min(buffer.Length, one.Length);
        buffer = buffer.Slice(0, count);
        one.Slice(0, count).CopyTo(buffer);
        other.Slice(0, count).CopyTo(one);
        buffer.CopyTo(other);
    }

    private ref struct Reader
    {
        private ReadOnlySpan<byte> _text;

        internal void Reset(ReadOnlySpan<byte> text) => _text = text;
    }
}
