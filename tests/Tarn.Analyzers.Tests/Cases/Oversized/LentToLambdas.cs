using System;
using System.Buffers;
using System.IO;

/// <summary>Helpers that lend a rented array to a delegate: the lambdas at their calls get it whole.</summary>
internal static class LentToLambdas
{
    internal static void Whole(Stream source) =>
        With(ArrayPool<byte>.Shared, 4, buffer => source.ReadExactly(buffer, 0, buffer.Length)); // expect TARN007

    internal static void Written(Stream target) =>
        With(
            ArrayPool<byte>.Shared,
            4,
            buffer => target.Write(buffer)); // expect TARN007

    internal static void Part(Stream source) =>
        With(ArrayPool<byte>.Shared, 4, buffer => source.ReadExactly(buffer, 0, 4));

    internal static void Measured(Stream source, int length) =>
        With(
            ArrayPool<byte>.Shared,
            length,
            buffer =>
            {
                if (buffer.Length > length)
                {
                    source.ReadExactly(buffer, 0, length);
                }
                else
                {
                    source.ReadExactly(buffer, 0, buffer.Length);
                }
            });

    internal static int Returned(Stream source) =>
        WithResult(4, static (buffer, source) =>
        {
            source.ReadExactly(buffer); // expect TARN007
            return buffer[0];
        }, source);

    internal static void Exact(Stream source) => WithNew(4, buffer => source.ReadExactly(buffer, 0, buffer.Length));

    internal static void ByGroup() => With(ArrayPool<byte>.Shared, 4, Fill);

    private static void Fill(byte[] buffer) => buffer[0] = 1;

    private static void With(ArrayPool<byte> pool, int length, Action<byte[]> work)
    {
        byte[]? array = null;
        try
        {
            array = pool.Rent(length);
            work(array);
        }
        finally
        {
            if (array != null)
            {
                pool.Return(array);
            }
        }
    }

    private static int WithResult(int length, Func<byte[], Stream, int> work, Stream source)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        int result = work.Invoke(array, source);
        ArrayPool<byte>.Shared.Return(array);
        return result;
    }

    private static void WithNew(int length, Action<byte[]> work) => work(new byte[length]);
}
