using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// <summary>References to elements, and pointers: they lead to the memory of a buffer as spans do.</summary>
internal static class References
{
    private struct Entry
    {
        internal int Count;
    }

    internal static void Written()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref a[0];
        ArrayPool<byte>.Shared.Return(a);
        first = 2; // expect TARN002
    }

    internal static int Read()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref a[0];
        ArrayPool<byte>.Shared.Return(a);
        return first; // expect TARN002
    }

    internal static int ReadBefore()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref a[0];
        first = 3;
        first++;
        int read = first;
        ArrayPool<byte>.Shared.Return(a);
        return read;
    }

    internal static int Copied()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        byte first = a[0];
        ref byte last = ref a[7];
        byte copy = last;
        ArrayPool<byte>.Shared.Return(a);
        return first + copy;
    }

    internal static void Incremented()
    {
        Entry[] a = ArrayPool<Entry>.Shared.Rent(8);
        ref Entry entry = ref a[0];
        ArrayPool<Entry>.Shared.Return(a);
        entry.Count++; // expect TARN002
    }

    internal static int OfMember()
    {
        Entry[] a = ArrayPool<Entry>.Shared.Rent(8);
        ref int count = ref a[0].Count;
        ArrayPool<Entry>.Shared.Return(a);
        return count; // expect TARN002
    }

    internal static void OfSpan()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        Span<byte> span = a;
        ref byte first = ref span[0];
        ArrayPool<byte>.Shared.Return(a);
        first = 2; // expect TARN002
    }

    internal static void OfData()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref MemoryMarshal.GetArrayDataReference(a);
        ArrayPool<byte>.Shared.Return(a);
        first = 2; // expect TARN002
    }

    internal static void OfDataBefore()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref MemoryMarshal.GetArrayDataReference(a);
        first = 2;
        ArrayPool<byte>.Shared.Return(a);
    }

    internal static void OfSpanData()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref MemoryMarshal.GetReference(a.AsSpan());
        ref byte second = ref Unsafe.Add(ref first, 1);
        ArrayPool<byte>.Shared.Return(a);
        second = 2; // expect TARN002
    }

    internal static int AsOther()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref int first = ref Unsafe.As<byte, int>(ref a[0]);
        ArrayPool<byte>.Shared.Return(a);
        return first; // expect TARN002
    }

    internal static int AsOtherByValue()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        int first = Unsafe.As<byte, int>(ref a[0]);
        ArrayPool<byte>.Shared.Return(a);
        return first;
    }

    internal static byte SameObject(object any)
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        sbyte[] same = Unsafe.As<sbyte[]>(a);
        ArrayPool<byte>.Shared.Return(a);
        return (byte)same[0]; // expect TARN002
    }

    internal static byte SameObjectBefore(object any)
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        sbyte[] same = Unsafe.As<sbyte[]>(a);
        byte read = (byte)same[0];
        ArrayPool<byte>.Shared.Return(a);
        return read;
    }

    internal static unsafe void Pinned()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        fixed (byte* first = a)
        {
            ArrayPool<byte>.Shared.Return(a);
            *first = 1; // expect TARN002
        }
    }

    internal static unsafe int PinnedElement()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        fixed (byte* first = &a[1])
        {
            ArrayPool<byte>.Shared.Return(a);
            return first[0]; // expect TARN002
        }
    }

    internal static unsafe int PinnedBefore()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        int sum = 0;
        fixed (byte* first = a)
        {
            *first = 1;
            sum += first[0];
        }

        ArrayPool<byte>.Shared.Return(a);
        return sum;
    }

    internal static unsafe int PinnedAndLost()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        fixed (byte* first = a)
        {
            *first = 1;
            return first[0];
        }
    }

    internal static ref byte Exposed()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        try
        {
            return ref a[0]; // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(a);
        }
    }

    internal static ref byte ExposedAndKept()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        return ref a[0];
    }

    internal static void Redirected(byte[] other)
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref a[0];
        first = 1;
        first = ref other[0];
        ArrayPool<byte>.Shared.Return(a);
        first = 2;
    }

    internal static void Lost()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        ref byte first = ref a[0];
        first = 1;
    }

    internal static void Passed()
    {
        byte[] a = ArrayPool<byte>.Shared.Rent(8);
        ref byte first = ref a[0];
        Fill(ref first);
        ArrayPool<byte>.Shared.Return(a);
        Fill(ref first); // expect TARN002
    }

    private static void Fill(ref byte value) => value = 1;
}
