using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Throws the exceptions of counted buffers and their slices, out of line so that hot methods stay small.</summary>
internal static class SharingThrow
{
    /// <summary>Throws unless a part is inside a buffer, a slice or a sequence.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside; the message names the argument and its value.</exception>
    internal static void UnlessPart(long start, int length, long whole)
    {
        if ((ulong)start > (ulong)whole)
        {
            Throw.Outside(nameof(start), start, whole);
        }

        if ((ulong)length > (ulong)(whole - start))
        {
            Throw.Outside(nameof(length), length, whole - start);
        }
    }

    /// <summary>Throws if a slice's part is not in its buffer: its fields are those of two slices.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void IfTorn(int start, int length, int whole)
    {
        if ((ulong)(uint)start + (uint)length > (uint)whole)
        {
            Torn(start, length, whole);
        }
    }

    [DoesNotReturn]
    internal static void Disposed() =>
        throw new ObjectDisposedException(
            "CountedBuffer or CountedSlice",
            "The holder of a counted buffer was disposed or handed over, or is a default instance, so it holds no memory, which may belong "
            + "to another owner by now. Dispose each holder and its copies once together, after the last use; take a slice for each "
            + "receiver.");

    [DoesNotReturn]
    private static void Torn(int start, int length, int whole) =>
        throw new InvalidOperationException(
            $"The slice's {length} elements from {start} on are not in its buffer of {whole}: the value is mixed from two slices, because "
            + "a thread read it while another assigned it. Guard the field with a lock, or pass slices through a queue.");
}
