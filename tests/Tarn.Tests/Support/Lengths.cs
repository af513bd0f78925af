namespace Tarn.Tests.Support;

/// <summary>Lengths worth asking for.</summary>
internal static class Lengths
{
    /// <summary>All up to 5,000, and those around each quarter of a doubling from there to <paramref name="longest"/>.</summary>
    internal static IEnumerable<int> UpTo(int longest)
    {
        for (int length = 1; length <= Math.Min(5000, longest); length++)
        {
            yield return length;
        }

        foreach (int length in AroundBoundaries(5000, longest))
        {
            yield return length;
        }
    }

    /// <summary>Each quarter of a doubling in the range, one below and one above.</summary>
    internal static IEnumerable<int> AroundBoundaries(int shortest, int longest)
    {
        for (long doubling = 4; doubling <= 1L << 31; doubling *= 2)
        {
            for (long boundary = doubling; boundary < doubling * 2; boundary += doubling / 4)
            {
                for (long length = boundary - 1; length <= boundary + 1; length++)
                {
                    if (length > shortest && length <= longest)
                    {
                        yield return (int)length;
                    }
                }
            }
        }
    }
}
