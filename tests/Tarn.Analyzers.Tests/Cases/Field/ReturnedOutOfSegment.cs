using System;
using System.Buffers;
using System.Runtime.InteropServices;

// An array that is kept as a segment or memory is returned out of it.
internal sealed class ReturnedOutOfSegment
{
    private Memory<byte> _kept;

    internal static void Segment(int count, Action<ArraySegment<int>> fill)
    {
        ArraySegment<int> indices = new(ArrayPool<int>.Shared.Rent(count), 0, count);
        fill(indices);
        ArrayPool<int>.Shared.Return(indices.Array!);
    }

    internal static void SegmentTwice(int count)
    {
        ArraySegment<int> indices = new(ArrayPool<int>.Shared.Rent(count), 0, count);
        indices.AsSpan().Clear();
        ArrayPool<int>.Shared.Return(indices.Array!);
        ArrayPool<int>.Shared.Return(indices.Array!); // expect TARN001
    }

    internal static void MemoryMarshaled(int count)
    {
        Memory<byte> memory = ArrayPool<byte>.Shared.Rent(count).AsMemory(0, count);
        memory.Span.Clear();
        if (MemoryMarshal.TryGetArray<byte>(memory, out ArraySegment<byte> segment))
        {
            ArrayPool<byte>.Shared.Return(segment.Array!);
        }
    }

    internal void KeptByRange(int count)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(count);
        _kept = array.AsMemory()[..count];
        _kept.Span.Clear();
    }

    internal static Func<int> MethodOfBuffer(int count)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(count);
        array[0] = 1;
        return array.GetHashCode;
    }

    internal static int NeverReturned(int count)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(count); // expect TARN011
        array[0] = 1;
        return array.Length;
    }
}
