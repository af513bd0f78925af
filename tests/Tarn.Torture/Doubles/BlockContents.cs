using System.Runtime.CompilerServices;

namespace Tarn.Torture.Doubles;

/// <summary>Contents that say whose they are: a pattern of a stamp and the offset, written to a block and found again.</summary>
/// <remarks>
/// Short blocks are written in full. Of long ones both ends are, and a word in every 4 KiB between: enough that anyone who shares any of it
/// is found, and fast enough for gigabytes.
/// </remarks>
internal static unsafe class BlockContents
{
    private const nuint WrittenInFull = 16 << 10;
    private const nuint Step = 4 << 10;

    internal static void Write(void* block, nuint size, ulong stamp)
    {
        if (size <= WrittenInFull)
        {
            WriteRange(block, 0, size, stamp);
            return;
        }

        for (nuint at = 0; at <= size - sizeof(ulong); at += Step)
        {
            WriteRange(block, at, sizeof(ulong), stamp);
        }

        WriteRange(block, TailOf(size), size - TailOf(size), stamp);
    }

    /// <summary>Fails where the block does not hold the pattern of <see cref="Write"/>.</summary>
    internal static void Verify(void* block, nuint size, ulong stamp)
    {
        if (!TryVerify(block, size, size, stamp, out nuint offset))
        {
            string found = Convert.ToHexString(new ReadOnlySpan<byte>((byte*)block + offset, (int)Math.Min(16, size - offset)));
            throw new InvalidOperationException(
                $"The block of {size} bytes at {(nint)block:x} stamped {stamp} holds something else from byte {offset} on: {found}.");
        }
    }

    /// <summary>
    /// As <see cref="Verify"/>, for the first <paramref name="count"/> bytes of a pattern of <paramref name="size"/> bytes.
    /// </summary>
    internal static void VerifyStart(void* block, nuint size, nuint count, ulong stamp)
    {
        if (!TryVerify(block, size, count, stamp, out nuint offset))
        {
            throw new InvalidOperationException(
                $"Of a block of {size} bytes stamped {stamp}, moved to {(nint)block:x}, byte {offset} differs; {count} were to be kept.");
        }
    }

    /// <summary>Whether all of a block is <paramref name="value"/>; every byte is looked at.</summary>
    internal static bool IsAll(void* block, nuint size, byte value)
    {
        for (nuint at = 0; at < size; at += Step)
        {
            if (new ReadOnlySpan<byte>((byte*)block + at, (int)Math.Min(Step, size - at)).ContainsAnyExcept(value))
            {
                return false;
            }
        }

        return true;
    }

    internal static void Fill(void* block, nuint size, byte value)
    {
        for (nuint at = 0; at < size; at += Step)
        {
            new Span<byte>((byte*)block + at, (int)Math.Min(Step, size - at)).Fill(value);
        }
    }

    private static bool TryVerify(void* block, nuint size, nuint count, ulong stamp, out nuint offset)
    {
        if (size <= WrittenInFull)
        {
            return TryVerifyRange(block, 0, Math.Min(size, count), stamp, out offset);
        }

        for (nuint at = 0; at <= size - sizeof(ulong) && at < count; at += Step)
        {
            if (!TryVerifyRange(block, at, Math.Min(sizeof(ulong), count - at), stamp, out offset))
            {
                return false;
            }
        }

        nuint tail = TailOf(size);
        offset = 0;
        return count <= tail || TryVerifyRange(block, tail, count - tail, stamp, out offset);
    }

    private static nuint TailOf(nuint size) => (size - Step) & ~(nuint)(sizeof(ulong) - 1);

    /// <summary>Offsets are multiples of 8; a count need not be.</summary>
    private static void WriteRange(void* block, nuint from, nuint count, ulong stamp)
    {
        byte* at = (byte*)block + from;
        nuint i = 0;
        for (; i + sizeof(ulong) <= count; i += sizeof(ulong))
        {
            Unsafe.WriteUnaligned(at + i, WordAt(from + i, stamp));
        }

        for (; i < count; i++)
        {
            at[i] = ByteAt(from + i, stamp);
        }
    }

    private static bool TryVerifyRange(void* block, nuint from, nuint count, ulong stamp, out nuint offset)
    {
        byte* at = (byte*)block + from;
        nuint i = 0;
        while (i + sizeof(ulong) <= count && Unsafe.ReadUnaligned<ulong>(at + i) == WordAt(from + i, stamp))
        {
            i += sizeof(ulong);
        }

        while (i < count && at[i] == ByteAt(from + i, stamp))
        {
            i++;
        }

        offset = from + i;
        return i == count;
    }

    private static ulong WordAt(nuint offset, ulong stamp) => (stamp * 0x9E37_79B9_7F4A_7C15) + offset;

    private static byte ByteAt(nuint offset, ulong stamp) =>
        (byte)(WordAt(offset & ~(nuint)(sizeof(ulong) - 1), stamp) >> (8 * (int)(offset % sizeof(ulong))));
}
