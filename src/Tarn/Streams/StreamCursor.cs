using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The bytes of a <see cref="PooledMemoryStream"/>, and how far a call may read or write at the position at once.</summary>
/// <remarks>
/// It is all that a hit reads and writes. A hit takes its address once: where a caller keeps the stream on the stack, as a using statement
/// does, the compiler would otherwise load the stream again for each field.
/// </remarks>
internal struct StreamCursor
{
    /// <summary>The contents. Their current segment is the one that contains the position.</summary>
    internal SegmentedBytes Bytes;

    /// <summary>How far a hit may go, and who is inside.</summary>
    internal StreamAccess Access;

    /// <summary>The position in the stream.</summary>
    internal readonly long Position => Bytes.CurrentStart + Bytes.Offset;

    /// <summary>Returns a byte of the current segment, whose array the caller has loaded once: Dispose may drop it at any time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte At(byte[] array, int offset) =>
        ref Unsafe.AddByteOffset(ref MemoryMarshal.GetArrayDataReference(array), (nuint)(uint)offset);

    /// <summary>Moves the position past <paramref name="count"/> bytes written at <paramref name="offset"/>, within the segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(int offset, int count)
    {
        offset += count;
        Bytes.Offset = offset;
        long end = Bytes.CurrentStart + offset;
        if (end > Bytes.Length)
        {
            Bytes.Length = end;
        }
    }
}
