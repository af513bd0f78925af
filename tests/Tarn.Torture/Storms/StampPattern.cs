namespace Tarn.Torture.Storms;

/// <summary>Bytes that follow from a stamp and the offset, of any number, written and compared as fast as they are copied.</summary>
internal static class StampPattern
{
    /// <summary>A prime, so that stamps and sizes of memory do not fall in step.</summary>
    private const int Period = 65_521;

    private static readonly byte[] s_bytes = Create();

    /// <summary>Writes the bytes that a stamp has from an offset on.</summary>
    internal static void Fill(Span<byte> destination, long stamp, long offset)
    {
        while (!destination.IsEmpty)
        {
            ReadOnlySpan<byte> run = RunAt(stamp, offset, destination.Length);
            run.CopyTo(destination);
            destination = destination[run.Length..];
            offset += run.Length;
        }
    }

    /// <summary>Whether these are the bytes that a stamp has from an offset on.</summary>
    internal static bool Matches(ReadOnlySpan<byte> bytes, long stamp, long offset)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> run = RunAt(stamp, offset, bytes.Length);
            if (!run.SequenceEqual(bytes[..run.Length]))
            {
                return false;
            }

            bytes = bytes[run.Length..];
            offset += run.Length;
        }

        return true;
    }

    private static ReadOnlySpan<byte> RunAt(long stamp, long offset, int longest)
    {
        int at = (int)((((ulong)stamp * 7919) + (ulong)offset) % Period);
        return s_bytes.AsSpan(at, Math.Min(longest, Period - at));
    }

    private static byte[] Create()
    {
        byte[] bytes = new byte[Period];
        new Random(1).NextBytes(bytes);
        return bytes;
    }
}
