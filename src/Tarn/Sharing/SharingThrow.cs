using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Throws the exceptions of shared buffers and their slices, out of line so that hot methods stay small.</summary>
internal static class SharingThrow
{
    /// <summary>Throws unless a part is inside a buffer or slice.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside; the message names the argument and its value.</exception>
    internal static void UnlessPart(int start, int length, int whole)
    {
        if ((uint)start > (uint)whole)
        {
            Throw.Outside(nameof(start), start, whole);
        }

        if ((uint)length > (uint)(whole - start))
        {
            Throw.Outside(nameof(length), length, whole - start);
        }
    }

    [DoesNotReturn]
    internal static void BufferDisposed() =>
        throw new ObjectDisposedException(
            "SharedBuffer",
            "The shared buffer was disposed or is a default instance, so it holds no memory. Dispose it once, after its last use; slices "
            + "taken from it before stay valid.");

    [DoesNotReturn]
    internal static void SliceDisposed() =>
        throw new ObjectDisposedException(
            "SharedSlice",
            "The slice was disposed or is a default instance, so it holds no memory, which may belong to another owner by now. Dispose a "
            + "slice and its copies once together, after the last use; take a slice for each holder.");
}
