using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Throws the exceptions of a <see cref="PooledMemoryStream"/>, out of line so that hot methods stay small.</summary>
internal static class StreamThrow
{
    [DoesNotReturn]
    internal static void Disposed() =>
        throw new ObjectDisposedException(
            nameof(PooledMemoryStream),
            "The stream was disposed, and its memory went back to the pool: set "
            + $"{nameof(PooledMemoryStreamOptions.KeepContentsOnDispose)} to read the contents afterwards.");

    [DoesNotReturn]
    internal static void TooLong(long maxCapacity) =>
        throw new IOException(
            $"The stream would exceed its limit of {maxCapacity} bytes: set {nameof(PooledMemoryStreamOptions.MaxCapacity)} higher.");

    [DoesNotReturn]
#pragma warning disable CA2201 // the runtime throws this type when memory runs out, so callers expect it
    internal static void OutOfMemory(long size) =>
        throw new OutOfMemoryException($"Cannot allocate {size} more bytes for the stream: write less, or raise the memory limit.");
#pragma warning restore CA2201

    internal static void IfTooLongForArray(long length)
    {
        if (length > Array.MaxLength)
        {
            throw new IOException(
                $"The stream has {length} bytes, and an array holds at most {Array.MaxLength}: use "
                + $"{nameof(PooledMemoryStream.GetReadOnlySequence)}.");
        }
    }

    /// <summary>Throws if <paramref name="count"/> exceeds the room.</summary>
    internal static void IfMoreThan(int room, int count)
    {
        if (count > room)
        {
            throw new ArgumentOutOfRangeException(
                nameof(count), count,
                $"The stream has room for {room} bytes at the position: request more with {nameof(PooledMemoryStream.GetSpan)} or "
                + $"{nameof(PooledMemoryStream.GetMemory)}.");
        }
    }
}
