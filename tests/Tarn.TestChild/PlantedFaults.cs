using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.IO;

namespace Tarn.TestChild;

/// <summary>
/// A program whose faults are known: tests find the lines by the marks that end them. Four threads rent and return without a fault all the
/// while, and hand a part of their buffers to each other.
/// </summary>
/// <remarks>
/// Arguments: the seconds it runs, the pairs of the four threads in a second, and the faults, of "lose", "inlined", "twice", "hold",
/// "streams". On a busy machine it runs for longer, until it has made all pairs.
/// </remarks>
internal static class PlantedFaults
{
    private const int Threads = 4;
    private const int PauseMilliseconds = 10;
    private static readonly ConcurrentQueue<byte[]> s_handedOver = [];
    private static readonly RecyclableMemoryStreamManager s_streams = new();

    public static void Run(string[] arguments)
    {
        var time = TimeSpan.FromSeconds(double.Parse(arguments[0], CultureInfo.InvariantCulture));
        int pairs = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        string[] faults = arguments[2..];
        Console.WriteLine("ready");
        ArrayPool<byte>.Shared.Return(RentInlined(1));
        var watch = Stopwatch.StartNew();
        byte[][] held = faults.Contains("hold") ? Hold() : [];
        Thread[] busy = [.. Enumerable.Range(0, Threads).Select(_ => new Thread(() => Work(watch, time, pairs / Threads)))];
        Array.ForEach(busy, thread => thread.Start());
        int lost = 0;
        int twice = 0;
        for (int turn = 0; busy.Any(thread => thread.IsAlive); turn++)
        {
            lost += faults.Contains("lose") && Lose(turn) ? 1 : 0;
            lost += faults.Contains("inlined") && LoseInlined(turn) ? 1 : 0;
            lost += faults.Contains("streams") && LoseStream(turn) ? 1 : 0;
            twice += faults.Contains("twice") && turn % 10 == 0 && ReturnTwice() ? 1 : 0;
            Thread.Sleep(PauseMilliseconds);
        }

        Array.ForEach(busy, thread => thread.Join());
        while (s_handedOver.TryDequeue(out byte[]? buffer))
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        Array.ForEach(held, buffer => ArrayPool<byte>.Shared.Return(buffer));
        Console.WriteLine($"{lost} {twice} {held.Length}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool Lose(int turn)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(3_000); // loses
        if (turn % 3 == 0)
        {
            return true;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return false;
    }

    /// <summary>Compiled with all that it calls from its first call on.</summary>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static bool LoseInlined(int turn)
    {
        byte[] buffer = RentInlined(5_000);
        if (turn % 3 == 0)
        {
            return true;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte[] RentInlined(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length * 2); // loses inlined
        buffer[0] = 1;
        return buffer;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool LoseStream(int turn)
    {
        RecyclableMemoryStream stream = s_streams.GetStream("planted"); // loses a stream
        stream.WriteByte(1);
        if (turn % 3 == 0)
        {
            return true;
        }

        stream.Dispose();
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReturnTwice()
    {
        // A length that no one else uses: the buffer that two owners would have must not disturb the other threads.
        byte[] buffer = ArrayPool<byte>.Shared.Rent(40_000);
        ArrayPool<byte>.Shared.Return(buffer); // returns first
        ArrayPool<byte>.Shared.Return(buffer); // returns again
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] Hold()
    {
        var held = new byte[3][];
        for (int index = 0; index < held.Length; index++)
        {
            held[index] = ArrayPool<byte>.Shared.Rent(1_000_000); // holds
        }

        return held;
    }

    private static void Work(Stopwatch watch, TimeSpan time, int pairsPerSecond)
    {
        int all = (int)(time.TotalSeconds * pairsPerSecond);
        for (int turns = 0; turns < all;)
        {
            int due = Math.Min(all, (int)(watch.Elapsed.TotalSeconds * pairsPerSecond));
            for (; turns < due; turns++)
            {
                Pair(turns);
            }

            Thread.Sleep(1);
        }
    }

    private static void Pair(int turn)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100 << (turn % 5));
        if (turn % 8 == 0)
        {
            s_handedOver.Enqueue(buffer);
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        if (turn % 8 == 4 && s_handedOver.TryDequeue(out byte[]? other))
        {
            ArrayPool<byte>.Shared.Return(other);
        }
    }
}
