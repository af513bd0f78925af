using System.Buffers;
using System.IO;

/// <summary>Each of these methods has more paths than are followed one by one, because it tests each flag twice.</summary>
internal static class TooManyPaths
{
    internal static void ReturnedTwice(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool is0 = source.ReadByte() == 0;
        bool is1 = source.ReadByte() == 1;
        bool is2 = source.ReadByte() == 2;
        bool is3 = source.ReadByte() == 3;
        bool is4 = source.ReadByte() == 4;
        bool is5 = source.ReadByte() == 5;
        bool is6 = source.ReadByte() == 6;
        bool is7 = source.ReadByte() == 7;
        bool is8 = source.ReadByte() == 8;
        bool is9 = source.ReadByte() == 9;
        bool is10 = source.ReadByte() == 10;
        bool is11 = source.ReadByte() == 11;
        if (is0) { buffer[0] = 1; }
        if (is1) { buffer[1] = 1; }
        if (is2) { buffer[2] = 1; }
        if (is3) { buffer[3] = 1; }
        if (is4) { buffer[4] = 1; }
        if (is5) { buffer[5] = 1; }
        if (is6) { buffer[6] = 1; }
        if (is7) { buffer[7] = 1; }
        if (is8) { buffer[8] = 1; }
        if (is9) { buffer[9] = 1; }
        if (is10) { buffer[10] = 1; }
        if (is11) { buffer[11] = 1; }
        if (is0) { buffer[0]++; }
        if (is1) { buffer[1]++; }
        if (is2) { buffer[2]++; }
        if (is3) { buffer[3]++; }
        if (is4) { buffer[4]++; }
        if (is5) { buffer[5]++; }
        if (is6) { buffer[6]++; }
        if (is7) { buffer[7]++; }
        if (is8) { buffer[8]++; }
        if (is9) { buffer[9]++; }
        if (is10) { buffer[10]++; }
        if (is11) { buffer[11]++; }
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
    }

    internal static int UsedAfterReturn(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool is0 = source.ReadByte() == 0;
        bool is1 = source.ReadByte() == 1;
        bool is2 = source.ReadByte() == 2;
        bool is3 = source.ReadByte() == 3;
        bool is4 = source.ReadByte() == 4;
        bool is5 = source.ReadByte() == 5;
        bool is6 = source.ReadByte() == 6;
        bool is7 = source.ReadByte() == 7;
        bool is8 = source.ReadByte() == 8;
        bool is9 = source.ReadByte() == 9;
        bool is10 = source.ReadByte() == 10;
        bool is11 = source.ReadByte() == 11;
        if (is0) { buffer[0] = 1; }
        if (is1) { buffer[1] = 1; }
        if (is2) { buffer[2] = 1; }
        if (is3) { buffer[3] = 1; }
        if (is4) { buffer[4] = 1; }
        if (is5) { buffer[5] = 1; }
        if (is6) { buffer[6] = 1; }
        if (is7) { buffer[7] = 1; }
        if (is8) { buffer[8] = 1; }
        if (is9) { buffer[9] = 1; }
        if (is10) { buffer[10] = 1; }
        if (is11) { buffer[11] = 1; }
        if (is0) { buffer[0]++; }
        if (is1) { buffer[1]++; }
        if (is2) { buffer[2]++; }
        if (is3) { buffer[3]++; }
        if (is4) { buffer[4]++; }
        if (is5) { buffer[5]++; }
        if (is6) { buffer[6]++; }
        if (is7) { buffer[7]++; }
        if (is8) { buffer[8]++; }
        if (is9) { buffer[9]++; }
        if (is10) { buffer[10]++; }
        if (is11) { buffer[11]++; }
        ArrayPool<byte>.Shared.Return(buffer);
        return buffer[0]; // expect TARN002
    }

    internal static void ReturnedInLoopOnce(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool isReturned = false;
        bool is0 = source.ReadByte() == 0;
        bool is1 = source.ReadByte() == 1;
        bool is2 = source.ReadByte() == 2;
        bool is3 = source.ReadByte() == 3;
        bool is4 = source.ReadByte() == 4;
        bool is5 = source.ReadByte() == 5;
        bool is6 = source.ReadByte() == 6;
        bool is7 = source.ReadByte() == 7;
        bool is8 = source.ReadByte() == 8;
        bool is9 = source.ReadByte() == 9;
        bool is10 = source.ReadByte() == 10;
        bool is11 = source.ReadByte() == 11;
        if (is0) { buffer[0] = 1; }
        if (is1) { buffer[1] = 1; }
        if (is2) { buffer[2] = 1; }
        if (is3) { buffer[3] = 1; }
        if (is4) { buffer[4] = 1; }
        if (is5) { buffer[5] = 1; }
        if (is6) { buffer[6] = 1; }
        if (is7) { buffer[7] = 1; }
        if (is8) { buffer[8] = 1; }
        if (is9) { buffer[9] = 1; }
        if (is10) { buffer[10] = 1; }
        if (is11) { buffer[11] = 1; }
        do
        {
            try
            {
                source.Flush();
                ArrayPool<byte>.Shared.Return(buffer);
                isReturned = true;
                source.Flush();
            }
            finally
            {
                if (!isReturned)
                {
                    ArrayPool<byte>.Shared.Return(buffer);
                    isReturned = true;
                }
            }

            if (!isReturned && is0) { buffer[0]++; }
            if (!isReturned && is1) { buffer[1]++; }
            if (!isReturned && is2) { buffer[2]++; }
            if (!isReturned && is3) { buffer[3]++; }
            if (!isReturned && is4) { buffer[4]++; }
            if (!isReturned && is5) { buffer[5]++; }
            if (!isReturned && is6) { buffer[6]++; }
            if (!isReturned && is7) { buffer[7]++; }
            if (!isReturned && is8) { buffer[8]++; }
            if (!isReturned && is9) { buffer[9]++; }
            if (!isReturned && is10) { buffer[10]++; }
            if (!isReturned && is11) { buffer[11]++; }
        }
        while (!isReturned);

        if (!isReturned)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void ReturnedByFlag(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool isReturned = false;
        bool is0 = source.ReadByte() == 0;
        bool is1 = source.ReadByte() == 1;
        bool is2 = source.ReadByte() == 2;
        bool is3 = source.ReadByte() == 3;
        bool is4 = source.ReadByte() == 4;
        bool is5 = source.ReadByte() == 5;
        bool is6 = source.ReadByte() == 6;
        bool is7 = source.ReadByte() == 7;
        bool is8 = source.ReadByte() == 8;
        bool is9 = source.ReadByte() == 9;
        bool is10 = source.ReadByte() == 10;
        bool is11 = source.ReadByte() == 11;
        if (is0) { buffer[0] = 1; }
        if (is1) { buffer[1] = 1; }
        if (is2) { buffer[2] = 1; }
        if (is3) { buffer[3] = 1; }
        if (is4) { buffer[4] = 1; }
        if (is5) { buffer[5] = 1; }
        if (is6) { buffer[6] = 1; }
        if (is7) { buffer[7] = 1; }
        if (is8) { buffer[8] = 1; }
        if (is9) { buffer[9] = 1; }
        if (is10) { buffer[10] = 1; }
        if (is11) { buffer[11] = 1; }
        if (is0)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            isReturned = true;
        }

        if (!isReturned && is0) { buffer[0]++; }
        if (!isReturned && is1) { buffer[1]++; }
        if (!isReturned && is2) { buffer[2]++; }
        if (!isReturned && is3) { buffer[3]++; }
        if (!isReturned && is4) { buffer[4]++; }
        if (!isReturned && is5) { buffer[5]++; }
        if (!isReturned && is6) { buffer[6]++; }
        if (!isReturned && is7) { buffer[7]++; }
        if (!isReturned && is8) { buffer[8]++; }
        if (!isReturned && is9) { buffer[9]++; }
        if (!isReturned && is10) { buffer[10]++; }
        if (!isReturned && is11) { buffer[11]++; }
        if (!isReturned)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
