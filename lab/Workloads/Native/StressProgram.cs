namespace Tarn.Lab.Workloads.Native;

/// <summary>The sizes that mstress draws, in words of eight bytes.</summary>
internal static class StressProgram
{
    /// <summary>Blocks that may be freed at once have 1 to 16 words, before some of them are made large.</summary>
    public const int ShortLivedDoublings = 5;

    /// <summary>Blocks that are kept until the thread ends have 1 to 64.</summary>
    public const int RetainedDoublings = 7;

    public const nuint MostWords = 64 * 10_000;

    /// <summary>A power of two; two of a hundred are a hundred times that, some of those a thousand, and a few ten thousand.</summary>
    public static nuint DrawWords(ref MixGenerator random, int doublings)
    {
        nuint words = (nuint)1 << (int)(random.Next() % (uint)doublings);
        if (random.Chance(1))
        {
            words *= random.Chance(1) ? 10_000u : random.Chance(10) ? 1_000u : 100u;
        }

        // The original avoids a size that threads' stacks use.
        return words == 40 ? 41 : words;
    }
}
