using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;

internal static class Scopes
{
    internal static int SkippedTurn(Stream source, int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
            source.ReadExactly(buffer, 0, 8);
            if (buffer[0] == 0)
            {
                continue;
            }

            sum += buffer[1];
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return sum;
    }

    internal static int EveryTurn(Stream source, int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(8);
            source.ReadExactly(buffer, 0, 8);
            if (buffer[0] == 0)
            {
                ArrayPool<byte>.Shared.Return(buffer);
                continue;
            }

            sum += buffer[1];
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return sum;
    }

    internal static int Broken(Stream source, int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
            if (source.Read(buffer, 0, 8) < 8)
            {
                break;
            }

            sum += buffer[1];
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return sum;
    }

    internal static int InTry(Stream source, int count)
    {
        int sum = 0;
        while (count-- > 0)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(8);
            try
            {
                if (source.Read(buffer, 0, 8) < 8)
                {
                    continue;
                }

                sum += buffer[1];
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }

        return sum;
    }

    internal static int HeldByAnother(Stream source, int[] lengths)
    {
        byte[]? best = null;
        foreach (int length in lengths)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
            source.ReadExactly(buffer, 0, length);
            if (best is null || best[0] < buffer[0])
            {
                if (best is not null)
                {
                    ArrayPool<byte>.Shared.Return(best);
                }

                best = buffer;
                continue;
            }

            ArrayPool<byte>.Shared.Return(buffer);
        }

        int first = best is null ? 0 : best[0];
        if (best is not null)
        {
            ArrayPool<byte>.Shared.Return(best);
        }

        return first;
    }

    internal static void Queued(Stream source, Queue<byte[]> all, int count)
    {
        while (count-- > 0)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(8);
            source.ReadExactly(buffer, 0, 8);
            if (buffer[0] == 0)
            {
                all.Enqueue(buffer);
                continue;
            }

            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void InSpan(ReadOnlySpan<char> text, Span<char> target, int turns)
    {
        for (int i = 0; i < turns; i++)
        {
            char[]? rented = null;
            Span<char> copy = text.Length < 100 ? stackalloc char[100] : (rented = ArrayPool<char>.Shared.Rent(text.Length));
            text.CopyTo(copy);
            if (copy[0] == ' ')
            {
                if (rented is not null)
                {
                    ArrayPool<char>.Shared.Return(rented);
                }

                continue;
            }

            copy[..text.Length].CopyTo(target);
            if (rented is not null)
            {
                ArrayPool<char>.Shared.Return(rented);
            }
        }
    }
}
