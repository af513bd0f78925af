namespace Tarn.TestChild;

/// <summary>Rents until the garbage collector has no more, returns, and rents again, under a limit that whoever starts this sets.</summary>
internal static class ManagedMemoryLimit
{
    private const int MostBuffers = 100_000;
    private const int Rounds = 4;

    private static readonly int[] s_lengths = [100_000, 1_000_000, 3_000, 20_000_000];

    /// <summary>Writes, for each round, how many bytes there were to be had, and how many are in use when all are returned.</summary>
    internal static void Run(string[] arguments)
    {
        _ = arguments;
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        byte[][] buffers = new byte[MostBuffers][];
        for (int round = 0; round < Rounds; round++)
        {
            long had = Fill(pool, s_lengths[round % s_lengths.Length], buffers);
            Console.WriteLine($"{had} {pool.GetStatistics().InUseBytes}");
        }
    }

    /// <summary>Bytes that could be had; all are returned again, after a look that they are what they were.</summary>
    private static long Fill(BufferPool<byte> pool, int length, byte[][] buffers)
    {
        int count = 0;
        try
        {
            for (; count < buffers.Length; count++)
            {
                buffers[count] = pool.Rent(length);
                BitConverter.TryWriteBytes(buffers[count], count);
            }
        }
        catch (OutOfMemoryException)
        {
            // As was to come.
        }

        for (int i = 0; i < count; i++)
        {
            if (BitConverter.ToInt32(buffers[i]) != i)
            {
                return -1;
            }

            pool.Return(buffers[i]);
            buffers[i] = [];
        }

        return count * (long)length;
    }
}
