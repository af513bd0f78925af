using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Reading.</content>
public sealed unsafe partial class PooledMemoryStream
{
    /// <summary>Copies bytes out, from the position on, and moves it.</summary>
    /// <param name="buffer">Where the bytes go.</param>
    /// <returns>How many: less than asked for only at the end of the stream, 0 there and behind it.</returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override int Read(Span<byte> buffer)
    {
        int offset = _offset;
        int count = buffer.Length;
        if (count > _limit - offset || count > _length - _start - offset)
        {
            return ReadSlow(ref MemoryMarshal.GetReference(buffer), count);
        }

        MemoryMarshal.CreateReadOnlySpan(ref Here, count).CopyTo(buffer);
        _offset = offset + count;
        return count;
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(new Span<byte>(buffer, offset, count));
    }

    /// <summary>The byte at the position, which moves; -1 at the end of the stream and behind it.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int ReadByte()
    {
        int offset = _offset;
        if (_limit <= offset || _length - _start <= offset)
        {
            return ReadByteSlow();
        }

        int value = Here;
        _offset = offset + 1;
        return value;
    }

    /// <summary>On its own, as a value whose address is taken lies on the stack.</summary>
    private int ReadByteSlow()
    {
        byte read = 0;
        return ReadSlow(ref read, 1) == 0 ? -1 : read;
    }

    private int ReadSlow(ref byte target, int count)
    {
        ThrowIfDisposed();
        long left = _length - _start - _offset;
        if (left <= 0)
        {
            return 0;
        }

        int taken = (int)Math.Min(count, left);
        CopyOut(ref target, taken);
        return taken;
    }

    /// <summary>Copies bytes that are there, from the cursor on, across segments.</summary>
    private void CopyOut(ref byte target, int count)
    {
        bool isParallel = IsParallel(count);
        while (true)
        {
            int part = Math.Min(count, SizeOfCurrent - _offset);
            Copy(ref Here, ref target, part, isParallel);
            _offset += part;
            count -= part;
            if (count == 0)
            {
                return;
            }

            target = ref Unsafe.Add(ref target, part);
            MoveTo(_start + _offset);
        }
    }
}
