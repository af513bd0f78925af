using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Throws what a <see cref="PooledMemoryStream"/> throws, out of line so that hot methods stay small.</summary>
internal static class StreamThrow
{
    [DoesNotReturn]
    internal static void Disposed() =>
        throw new ObjectDisposedException(
            nameof(PooledMemoryStream),
            "The stream was disposed and its memory went back to the pool: set "
            + $"{nameof(PooledMemoryStreamOptions.KeepContentsOnDispose)} to read the contents afterwards.");

    [DoesNotReturn]
    internal static void TooLong(long maxCapacity) =>
        throw new IOException(
            $"The stream would pass its limit of {maxCapacity} bytes: {nameof(PooledMemoryStreamOptions.MaxCapacity)} allows no more.");

    [DoesNotReturn]
#pragma warning disable CA2201 // this is what the runtime throws when there is no memory, and what callers look for
    internal static void OutOfMemory(long size) =>
        throw new OutOfMemoryException($"The process has no memory for {size} bytes more in a stream: write less, or raise its limit.");
#pragma warning restore CA2201

    internal static void IfTooLongForArray(long length)
    {
        if (length > Array.MaxLength)
        {
            throw new IOException(
                $"The stream has {length} bytes, an array can have {Array.MaxLength}: use "
                + $"{nameof(PooledMemoryStream.GetReadOnlySequence)}.");
        }
    }

    /// <summary>Throws if more bytes are said to be written than there was room for.</summary>
    internal static void IfMoreThan(int room, int count)
    {
        if (count > room)
        {
            throw new ArgumentOutOfRangeException(
                nameof(count), count,
                $"The stream has room for {room} bytes at the position: ask {nameof(PooledMemoryStream.GetSpan)} or "
                + $"{nameof(PooledMemoryStream.GetMemory)} for more.");
        }
    }
}
