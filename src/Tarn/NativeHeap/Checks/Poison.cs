using System.Globalization;

namespace Tarn;

/// <summary>What freed blocks are filled with: late reads see it, and late writes disturb it.</summary>
internal static unsafe class Poison
{
    private const nuint Step = 1 << 30;

    /// <summary>Overwrites the caller's bytes; their contents are gone.</summary>
    internal static void Fill(CheckedBlock block)
    {
        for (nuint done = 0; done < block.Size; done += Step)
        {
            Part(block, done).Fill(BufferDiagnostics.PoisonByte);
        }
    }

    /// <summary>Where the pattern was disturbed first, in words; null when it is as it was filled.</summary>
    internal static string? DescribeDamage(CheckedBlock block)
    {
        for (nuint done = 0; done < block.Size; done += Step)
        {
            int at = Part(block, done).IndexOfAnyExcept(BufferDiagnostics.PoisonByte);
            if (at >= 0)
            {
                nuint offset = done + (nuint)at;
                string value = ((byte*)block.Start)[offset].ToString("x2", CultureInfo.InvariantCulture);
                return $"the byte at offset {offset} is {value} since";
            }
        }

        return null;
    }

    private static Span<byte> Part(CheckedBlock block, nuint from) =>
        new((byte*)block.Start + from, (int)Math.Min(block.Size - from, Step));
}
