using System.Globalization;

namespace Tarn.Native;

/// <summary>The pattern that fills freed blocks. Late reads see it, and late writes damage it.</summary>
internal static unsafe class Poison
{
    private const nuint Step = 1 << 30;

    /// <summary>Overwrites the caller's bytes.</summary>
    internal static void Fill(CheckedBlock block)
    {
        for (nuint done = 0; done < block.Size; done += Step)
        {
            Part(block, done).Fill(BufferDiagnostics.PoisonByte);
        }
    }

    /// <summary>Describes the first damaged byte; null when the pattern is intact.</summary>
    internal static string? DescribeDamage(CheckedBlock block)
    {
        for (nuint done = 0; done < block.Size; done += Step)
        {
            int at = Part(block, done).IndexOfAnyExcept(BufferDiagnostics.PoisonByte);
            if (at >= 0)
            {
                nuint offset = done + (nuint)at;
                string value = ((byte*)block.Start)[offset].ToString("x2", CultureInfo.InvariantCulture);
                return $"the byte at offset {offset} has become {value}";
            }
        }

        return null;
    }

    private static Span<byte> Part(CheckedBlock block, nuint from) =>
        new((byte*)block.Start + from, (int)Math.Min(block.Size - from, Step));
}
