using System.Buffers;

namespace Tarn.Lab.Scenarios;

/// <summary>A program whose rents are known, which recorders are tested with.</summary>
/// <remarks>
/// It rents 300,000 and 400,000 bytes. With the argument to wait, it writes "ready" and reads a line. It returns the larger buffer, never
/// the smaller one. Then, in each round, it rents 100, 5,000 and 70,000 bytes and returns them in this order, on a thread of the round's
/// own.
/// </remarks>
internal static class KnownRents
{
    private static readonly int[] s_lengths = [100, 5_000, 70_000];

    public static void Run(int rounds, bool waits)
    {
        _ = ArrayPool<byte>.Shared.Rent(300_000);
        byte[] early = ArrayPool<byte>.Shared.Rent(400_000);
        if (waits)
        {
            Console.WriteLine("ready");
            _ = Console.ReadLine();
        }

        ArrayPool<byte>.Shared.Return(early);
        for (int round = 0; round < rounds; round++)
        {
            byte[][] rented = [.. s_lengths.Select(ArrayPool<byte>.Shared.Rent)];
            var other = new Thread(() => Array.ForEach(rented, array => ArrayPool<byte>.Shared.Return(array)));
            other.Start();
            other.Join();
        }
    }
}
