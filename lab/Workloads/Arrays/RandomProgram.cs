namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// Lengths from 16 B to 1 MiB, as many small as large in every doubling, and the place each one takes in the working set.
/// </summary>
internal sealed class RandomProgram
{
    /// <summary>A power of two; the program then repeats.</summary>
    public const int Steps = 1 << 14;

    public RandomProgram(Random random, int places)
    {
        for (int step = 0; step < Steps; step++)
        {
            Lengths[step] = (int)(16 * Math.Pow(65_536, random.NextDouble()));
            Places[step] = random.Next(places);
        }
    }

    public int[] Lengths { get; } = new int[Steps];

    public int[] Places { get; } = new int[Steps];
}
