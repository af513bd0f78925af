using System.Globalization;
using System.Text;

namespace Tarn.Native;

/// <summary>The bytes before and after a block, filled with a pattern that depends on the address, and verified later.</summary>
/// <remarks>
/// The pattern contains neither 0 nor 255 nor any ASCII character, which are the bytes that most overruns write. Because it depends on the
/// address, bytes copied from a neighbouring redzone do not match. A write of the byte that is already there goes unnoticed.
/// </remarks>
internal static unsafe class Redzone
{
    /// <summary>The smallest redzone on each side of an unguarded block, in bytes.</summary>
    internal const nuint SmallestSize = 32;

    /// <summary>The most bytes filled and verified on each side.</summary>
    internal const nuint LargestSize = 4096;

    private const int MostBytesShown = 16;

    /// <summary>Fills both sides of a block.</summary>
    internal static void Fill(CheckedBlock block)
    {
        Fill(BeginOf(block), block.Start);
        Fill(block.Start + block.Size, EndOf(block));
    }

    /// <summary>Describes the damage on either side; null when both are intact.</summary>
    internal static string? DescribeDamage(CheckedBlock block)
    {
        string? before = DescribeDamage(block, BeginOf(block), block.Start);
        string? after = DescribeDamage(block, block.Start + block.Size, EndOf(block));
        return before is null || after is null ? before ?? after : $"{before}; {after}";
    }

    private static nuint BeginOf(CheckedBlock block) => block.Start - Math.Min(block.Start - block.Base, LargestSize);

    private static nuint EndOf(CheckedBlock block) =>
        block.Start + block.Size + Math.Min(block.End - block.Start - block.Size, LargestSize);

    private static void Fill(nuint from, nuint to)
    {
        for (nuint address = from; address < to; address++)
        {
            *(byte*)address = PatternAt(address);
        }
    }

    private static string? DescribeDamage(CheckedBlock block, nuint from, nuint to)
    {
        nuint first = from;
        while (first < to && *(byte*)first == PatternAt(first))
        {
            first++;
        }

        if (first == to)
        {
            return null;
        }

        nuint last = to - 1;
        while (last > first && *(byte*)last == PatternAt(last))
        {
            last--;
        }

        string where = first < block.Start ? "before its beginning" : "past its end";
        nint offset = (nint)(first - block.Start);
        return last == first
            ? $"the byte at offset {offset}, {where}, is {Show(first, last)}"
            : $"bytes at offsets {offset} to {(nint)(last - block.Start)}, {where}, are {Show(first, last)}";
    }

    private static string Show(nuint first, nuint last)
    {
        nuint count = Math.Min(last - first + 1, MostBytesShown);
        StringBuilder text = new();
        for (nuint i = 0; i < count; i++)
        {
            text.Append(i == 0 ? "" : " ").Append(((byte*)first)[i].ToString("x2", CultureInfo.InvariantCulture));
        }

        return text.Append(last - first < MostBytesShown ? "" : " …").ToString();
    }

    /// <summary>128 to 254, spread by Fibonacci hashing.</summary>
    private static byte PatternAt(nuint address) => (byte)(128 + ((uint)((address * 0x9E37_79B9_7F4A_7C15) >> 40) % 127));
}
