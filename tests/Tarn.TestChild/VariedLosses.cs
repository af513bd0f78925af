using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>
/// A program with three faults that no two runs show alike: how often each happens is random, methods are compiled again while they run,
/// and then inlined, and what follows an await runs on any stack.
/// </summary>
internal static class VariedLosses
{
    private const int Turns = 400;
    private const int HotTurns = 60;

    public static void Run(string[] arguments)
    {
        Console.WriteLine("ready");
        RunAsync().GetAwaiter().GetResult();
    }

    private static async Task RunAsync()
    {
        for (int turn = 0; turn < Turns; turn++)
        {
            Hot();
            await LoseAsync();
            LoseElements<double>();
            await Task.Delay(4);
        }
    }

    /// <summary>Hot enough to be compiled again, with what it calls inlined.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Hot()
    {
        for (int turn = 0; turn < HotTurns; turn++)
        {
            byte[] buffer = Take(turn);
            if (Random.Shared.Next(20) != 0)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }

    private static byte[] Take(int turn) => ArrayPool<byte>.Shared.Rent(500 + turn);

    private static async Task LoseAsync()
    {
        if (Random.Shared.Next(2) == 0)
        {
            await Task.Yield();
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(6_000);
        if (Random.Shared.Next(3) != 0)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static void LoseElements<T>()
    {
        T[] elements = ArrayPool<T>.Shared.Rent(1_000);
        if (Random.Shared.Next(3) != 0)
        {
            ArrayPool<T>.Shared.Return(elements);
        }
    }
}
