using System;
using System.Buffers;
using System.IO;

/// <summary>Two variables may hold one array, which comparing them tells.</summary>
internal static class OneOrTheOther
{
    internal static int ByReference(Stream source, int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = length > 3 ? ArrayPool<byte>.Shared.Rent(length * 2) : first;
        int count = source.Read(second, 0, length);
        if (second != first)
        {
            ArrayPool<byte>.Shared.Return(second);
        }

        ArrayPool<byte>.Shared.Return(first);
        return count;
    }

    internal static int ByCall(Stream source, int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = length > 3 ? ArrayPool<byte>.Shared.Rent(length * 2) : first;
        int count = source.Read(second, 0, length);
        if (!ReferenceEquals(second, first))
        {
            ArrayPool<byte>.Shared.Return(second);
        }

        ArrayPool<byte>.Shared.Return(first);
        return count;
    }

    internal static int ByFlag(Stream source, int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = first;
        if (length > 3)
        {
            second = ArrayPool<byte>.Shared.Rent(length * 2);
        }

        bool isSame = first == second;
        int count = source.Read(second, 0, length);
        if (!isSame)
        {
            ArrayPool<byte>.Shared.Return(second);
        }

        ArrayPool<byte>.Shared.Return(first);
        return count;
    }

    internal static int InFinally(Stream source, int length)
    {
        byte[]? first = null;
        byte[]? second = null;
        try
        {
            first = ArrayPool<byte>.Shared.Rent(length);
            second = length > 3 ? ArrayPool<byte>.Shared.Rent(length) : first;
            return source.Read(second, 0, length);
        }
        finally
        {
            if (second is not null && second != first)
            {
                ArrayPool<byte>.Shared.Return(second);
            }

            if (first is not null)
            {
                ArrayPool<byte>.Shared.Return(first);
            }
        }
    }

    internal static int ByEquals(Stream source, int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = length > 3 ? ArrayPool<byte>.Shared.Rent(length * 2) : first;
        int count = source.Read(second, 0, length);
        if (!first.Equals(second))
        {
            ArrayPool<byte>.Shared.Return(second);
        }

        ArrayPool<byte>.Shared.Return(first);
        return count;
    }

    internal static int Earlier(Stream source, int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = first;
        if (length > 3)
        {
            second = ArrayPool<byte>.Shared.Rent(length * 2);
        }

        int count = source.Read(second, 0, length);
        ArrayPool<byte>.Shared.Return(first);
        if (ReferenceEquals(second, first))
        {
            return count;
        }

        ArrayPool<byte>.Shared.Return(second);
        return count;
    }

    internal static int ByHelper(Stream source, int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = length > 3 ? ArrayPool<byte>.Shared.Rent(length * 2) : first;
        int count = source.Read(second, 0, length);
        if (!AreSame(first, second))
        {
            ArrayPool<byte>.Shared.Return(second);
        }

        ArrayPool<byte>.Shared.Return(first);
        return count;
    }

    private static bool AreSame(byte[] one, byte[] other) => one == other;

    internal static void NotCompared(int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = first;
        ArrayPool<byte>.Shared.Return(second);
        ArrayPool<byte>.Shared.Return(first); // expect TARN001
    }

    internal static void ComparedWrongly(int length)
    {
        byte[] first = ArrayPool<byte>.Shared.Rent(length);
        byte[] second = first;
        if (second == first)
        {
            ArrayPool<byte>.Shared.Return(second);
        }

        ArrayPool<byte>.Shared.Return(first); // expect TARN001
    }
}
