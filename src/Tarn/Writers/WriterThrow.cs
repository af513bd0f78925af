using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Throws the exceptions of the writers, out of line so that hot methods stay small.</summary>
internal static class WriterThrow
{
    [DoesNotReturn]
    internal static void Disposed(string name) =>
        throw new ObjectDisposedException(name, $"The {name} was disposed, and its memory went back: take a new one.");

    /// <summary>Throws if elements contain references: the garbage collector sees none in native memory.</summary>
    internal static void IfReferences<T>(string heap)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            throw new ArgumentException(
                $"A {typeof(T)} is or contains a reference, which native memory cannot hold: make the writer over a BufferPool.", heap);
        }
    }

    [DoesNotReturn]
    internal static void ScratchDisposed() =>
        throw new ObjectDisposedException(
            "ScratchWriter", "The writer was disposed or is a default instance: make one from memory of your own, which may be empty.");

    [DoesNotReturn]
    internal static void TooMany(int count, int more, int most) =>
        throw new InvalidOperationException(
            $"The writer holds {count} elements, and {more} more would exceed its maximum of {most}: write less, or make a writer with a "
            + "higher maximum.");

    [DoesNotReturn]
    internal static void PastRoom(int count, int room)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        throw new ArgumentOutOfRangeException(
            nameof(count), count, $"The writer has room for {room} elements: request more with GetSpan or GetMemory.");
    }

    [DoesNotReturn]
    internal static void ReservationOver() =>
        throw new InvalidOperationException(
            "The reserved place is a default instance, or its writer no longer has the contents: write to it before Clear and Detach.");

    [DoesNotReturn]
    internal static void NoText(Type type) =>
        throw new NotSupportedException($"A writer of {type} cannot format text: use one of Char, or of Byte for UTF-8.");

    [DoesNotReturn]
    internal static void FormattedPastRoom(Type type, int written, int room) =>
        throw new FormatException($"{type} claims to have written {written} elements to a span of {room}.");
}
