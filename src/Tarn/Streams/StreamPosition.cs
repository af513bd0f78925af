using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Computes the position that a seek leads to.</summary>
internal static class StreamPosition
{
    /// <summary>Returns the position <paramref name="offset"/> bytes from an origin.</summary>
    /// <exception cref="ArgumentException"><paramref name="loc"/> is not an origin.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The position would not fit in a <see cref="long"/>.</exception>
    /// <exception cref="IOException">The position would be before the beginning.</exception>
    internal static long Find(
        long offset, SeekOrigin loc, long position, long length,
        [CallerArgumentExpression(nameof(loc))] string name = "")
    {
        long origin = loc switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => position,
            SeekOrigin.End => length,
            _ => throw new ArgumentException($"The seek origin {loc} is invalid: use a value of {nameof(SeekOrigin)}.", name),
        };
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, long.MaxValue - origin);
        return origin + offset >= 0
            ? origin + offset
            : throw new IOException(
                $"The position {origin + offset}, {offset} bytes from {origin}, is before the stream's beginning: seek to 0 or later.");
    }
}
