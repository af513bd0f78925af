using System;
using System.Buffers;
using System.Threading.Tasks;

/// <summary>Buffers that lambdas use while the call runs that receives the lambdas.</summary>
internal sealed class Callbacks
{
    private int[] _kept = [];

    internal int[] HandedKept => _kept;

    private static int[]? s_last;

    internal int Count => _kept.Length + (s_last?.Length ?? 0);

    internal static void FilledInParallel(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length); // expect TARN011
        Parallel.For(0, length, i => squares[i] = i * i);
    }

    internal static void FilledByMethod(int length, ParallelOptions? options)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length); // expect TARN011
        if (options is not null)
        {
            Parallel.For(0, length, options, i => Fill(squares, i));
        }
        else
        {
            Fill(squares, 0);
        }
    }

    internal static void FilledByHelper(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length); // expect TARN011
        FillAll(squares, length);
    }

    internal static int UsedAfterReturn(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        ArrayPool<int>.Shared.Return(squares);
        int sum = 0;
        Parallel.For(0, length, i => sum += squares[i]); // expect TARN002
        return sum;
    }

    internal void KeptByLambda(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        Parallel.For(0, length, i => _kept = squares);
    }

    internal void KeptByMethod(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        Parallel.For(0, length, i => Keep(squares));
    }

    internal static void ReturnedByLambda(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        Parallel.Invoke(() => ArrayPool<int>.Shared.Return(squares));
    }

    internal static Task Later(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        return Task.Run(() => squares[0] = 1);
    }

    internal static void LaterInside(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        Parallel.Invoke(() => _ = Task.Run(() => squares[0] = 1));
    }

    internal static Task Asynchronously(int length)
    {
        int[] squares = ArrayPool<int>.Shared.Rent(length);
        return Parallel.ForAsync(0, length, (i, _) =>
        {
            squares[i] = i;
            return default;
        });
    }

    private static void Fill(int[] squares, int i) => squares[i] = i * i;

    private static void FillAll(int[] squares, int length) => Parallel.For(0, length, i => squares[i] = i);

    private void Keep(int[] squares) => _kept = squares;
}
