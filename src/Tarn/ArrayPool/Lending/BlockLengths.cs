using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The lengths of the blocks of a memory pool, in elements.</summary>
/// <param name="Min">The length of the shortest block; 0 if a block is about as long as requested.</param>
/// <param name="Max">The length of the longest block.</param>
/// <param name="Doubling">Whether each block is as long as all blocks in use together.</param>
internal readonly record struct BlockLengths(int Min, int Max, bool Doubling)
{
    /// <summary>The bytes of a block for callers that request no length: those of the BCL's memory pool.</summary>
    private const int DefaultBytes = 4096;

    /// <summary>
    /// The bytes at which growth ends without a greatest length: half of what pauses the writer of a pipe with default options. A writer
    /// that fills a block of that size can flush it whether or not the reader runs.
    /// </summary>
    private const int DefaultGrowthBytes = 32 << 10;

    /// <summary>The length of a block for callers that request none.</summary>
    internal int DefaultLength<T>() => Min > 0 ? Min : Math.Min(Max, Math.Max(1, DefaultBytes / Unsafe.SizeOf<T>()));

    /// <summary>The greatest length that a block gets by growth; 0 without growth.</summary>
    internal int GrowthLimit<T>() =>
        !Doubling ? 0 : Max < Array.MaxLength ? Max : Math.Max(1, DefaultGrowthBytes / Unsafe.SizeOf<T>());

    /// <exception cref="ArgumentOutOfRangeException">A length is out of range; the message names it and its value.</exception>
    internal static BlockLengths Of(int minLength, int maxLength, bool doubling)
    {
        Throw.UnlessAllowed(
            minLength >= 0 && minLength <= Array.MaxLength,
            nameof(minLength), nameof(minLength), minLength, $"0 to {Array.MaxLength}");
        Throw.UnlessAllowed(
            maxLength > 0 && maxLength >= minLength,
            nameof(maxLength), nameof(maxLength), maxLength, $"at least 1 and {nameof(minLength)}, which is {minLength}");
        return new BlockLengths(minLength, Math.Min(maxLength, Array.MaxLength), doubling);
    }
}
