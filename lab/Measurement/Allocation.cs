namespace Tarn.Lab.Measurement;

/// <summary>Bytes allocated and collections made while something ran, on all threads.</summary>
internal readonly record struct Allocation(long Bytes, int Gen0, int Gen1, int Gen2)
{
    private const int Runs = 5;

    public static Allocation During(Action action)
    {
        int gen0 = GC.CollectionCount(0);
        int gen1 = GC.CollectionCount(1);
        int gen2 = GC.CollectionCount(2);
        long bytes = GC.GetTotalAllocatedBytes(precise: true);
        action();
        bytes = GC.GetTotalAllocatedBytes(precise: true) - bytes;
        return new Allocation(bytes, GC.CollectionCount(0) - gen0, GC.CollectionCount(1) - gen1, GC.CollectionCount(2) - gen2);
    }

    /// <summary>
    /// Returns the bytes for one operation of a warm trial: the median of several runs, because a pool may still grow in one of them. A
    /// value below a hundredth of a byte is the runtime's own noise.
    /// </summary>
    public static double BytesPerOperation(Trial trial, int iterations)
    {
        var runs = new double[Runs];
        trial.Run(iterations);
        for (int run = 0; run < Runs; run++)
        {
            runs[run] = During(() => trial.Run(iterations)).Bytes / (iterations * trial.OperationsPerIteration);
        }

        double bytes = MedianInterval.Of(runs).Median;
        return bytes < 0.01 ? 0 : bytes;
    }
}
