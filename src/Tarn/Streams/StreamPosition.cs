using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Where a seek leads.</summary>
internal static class StreamPosition
{
    /// <summary>The position that lies <paramref name="offset"/> bytes from an origin.</summary>
    /// <exception cref="ArgumentException"><paramref name="loc"/> is no origin.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The position would not fit in a <see cref="long"/>.</exception>
    /// <exception cref="IOException">The position would lie before the beginning.</exception>
    internal static long Find(
        long offset, SeekOrigin loc, long position, long length,
        [CallerArgumentExpression(nameof(loc))] string name = "")
    {
        long origin = loc switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => position,
            SeekOrigin.End => length,
            _ => throw new ArgumentException($"A seek has no origin {loc}: use a value of {nameof(SeekOrigin)}.", name),
        };
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, long.MaxValue - origin);
        return origin + offset >= 0
            ? origin + offset
            : throw new IOException(
                $"The position {origin + offset}, {offset} bytes from {origin}, lies before the stream's beginning: seek to 0 or more.");
    }
}
