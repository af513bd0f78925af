namespace Tarn.Lab.Workloads.Calls;

/// <summary>
/// The lengths that one thread requests and where it puts each buffer: in a place of its own, or, one in eight, in a place that all threads
/// share. What lay there is returned. The same for every contender.
/// </summary>
internal sealed class CallProgram
{
    /// <summary>A power of two; the program then repeats.</summary>
    public const int Steps = 1 << 14;

    public const int OwnPlaces = 8;

    public const int SharedPlaces = 64;

    /// <summary>One buffer in this many passes to another thread, unless the program says otherwise.</summary>
    public const int SharedOneIn = 8;

    public const int ShortestLength = 16;

    public const int LongestLength = 64 << 10;

    /// <param name="random">Draws lengths and places.</param>
    /// <param name="sharedOneIn">One buffer in this many passes to another thread.</param>
    public CallProgram(Random random, int sharedOneIn = SharedOneIn)
    {
        for (int step = 0; step < Steps; step++)
        {
            Lengths[step] = (int)(ShortestLength * Math.Pow(LongestLength / ShortestLength, random.NextDouble()));
            Places[step] = random.Next(sharedOneIn) == 0 ? ~random.Next(SharedPlaces) : random.Next(OwnPlaces);
        }
    }

    public int[] Lengths { get; } = new int[Steps];

    /// <summary>The index of a place, or the complement of the index of a shared one.</summary>
    public int[] Places { get; } = new int[Steps];
}
