namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// Lengths from 16 B to a largest one, as many small as large in every doubling, and the place each one takes in the working set.
/// </summary>
internal sealed class RandomProgram
{
    /// <summary>A power of two; the program then repeats.</summary>
    public const int Steps = 1 << 14;

    private const int Smallest = 16;

    public RandomProgram(Random random, int places, int largest = 1 << 20)
    {
        for (int step = 0; step < Steps; step++)
        {
            Lengths[step] = (int)(Smallest * Math.Pow((double)largest / Smallest, random.NextDouble()));
            Places[step] = random.Next(places);
        }
    }

    public int[] Lengths { get; } = new int[Steps];

    public int[] Places { get; } = new int[Steps];
}
