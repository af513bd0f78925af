using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing.</content>
public sealed unsafe partial class PooledMemoryStream
{
    /// <summary>
    /// Copies bytes in at the position, which moves. What lies between the length and the position is filled with zeros, also when there are no bytes.
    /// </summary>
    /// <param name="buffer">The bytes; may lie in this stream's own buffer.</param>
    /// <exception cref="IOException">The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        int offset = _offset;
        int count = buffer.Length;
        if (count > _limit - offset)
        {
            WriteSlow(ref MemoryMarshal.GetReference(buffer), count);
            return;
        }

        buffer.CopyTo(MemoryMarshal.CreateSpan(ref Here, count));
        Advance(offset, count);
    }

    /// <inheritdoc/>
    /// <exception cref="IOException">The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(new ReadOnlySpan<byte>(buffer, offset, count));
    }

    /// <summary>Copies one byte in at the position, which moves.</summary>
    /// <exception cref="IOException">The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void WriteByte(byte value)
    {
        int offset = _offset;
        if (offset >= _limit)
        {
            WriteByteSlow(value);
            return;
        }

        Here = value;
        Advance(offset, 1);
    }

    /// <summary>Copies a sequence in at the position, which moves: all of it or nothing.</summary>
    /// <param name="source">The bytes; may be this stream's own.</param>
    /// <exception cref="IOException">The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public void Write(ReadOnlySequence<byte> source)
    {
        ThrowIfDisposed();
        if (IsOverwritten(source))
        {
            using PooledMemoryStream copy = new(_options with { MaxCapacity = long.MaxValue, KeepContentsOnDispose = false }, source.Length);
            copy.Write(source);
            Write(copy.GetReadOnlySequence());
            return;
        }

        byte[]? replaced = Open(source.Length);
        foreach (ReadOnlyMemory<byte> part in source)
        {
            CopyIn(ref MemoryMarshal.GetReference(part.Span), part.Length);
        }

        GiveBack(replaced);
    }

    /// <summary>The cursor moves over bytes that were written, within its segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Advance(int offset, int count)
    {
        _offset = offset + count;
        long end = _start + offset + count;
        if (end > _length)
        {
            _length = end;
        }
    }

    /// <summary>On its own, as a value whose address is taken lies on the stack.</summary>
    private void WriteByteSlow(byte value) => WriteSlow(ref value, 1);

    private void WriteSlow(ref byte source, int count)
    {
        ThrowIfDisposed();
        if (_array is null && _table is null && IsDefault && _start == 0 && count is > 0 and <= LargestSegment)
        {
            Begin(ref source, count);
            return;
        }

        byte[]? replaced = Open(count);
        CopyIn(ref source, count);
        GiveBack(replaced);
    }

    /// <summary>The first write of a stream without options: what most streams do once, and nothing else.</summary>
    private void Begin(ref byte source, int count)
    {
        MemoryMarshal.CreateReadOnlySpan(ref source, count).CopyTo(TakeOnly(count));
        _offset = count;
        _length = count;
    }

    /// <summary>
    /// Readies the stream for <paramref name="count"/> bytes at the position: memory, and zeros up to it. The array that was replaced, if one was, is
    /// to be released when nobody reads it any more.
    /// </summary>
    private byte[]? Open(long count)
    {
        long position = _start + _offset;
        if (count > long.MaxValue - position)
        {
            StreamThrow.TooLong(_options.MaxCapacity);
        }

        byte[]? replaced = position > _length ? Extend(position, position + count) : Reserve(position + count);
        _length = Math.Max(_length, position);
        MoveTo(position);
        return replaced;
    }

    /// <summary>Copies bytes in from the cursor on, across segments that have the room.</summary>
    private void CopyIn(ref byte source, int count)
    {
        bool isParallel = IsParallel(count);
        while (count > 0)
        {
            int part = Math.Min(count, SizeOfCurrent - _offset);
            if (part == 0)
            {
                MoveTo(_start + _offset);
                continue;
            }

            if (part < count && Overlap(ref source, count, ref Here, part))
            {
                CopyInBackward(ref source, count, part);
                return;
            }

            Copy(ref source, ref Here, part, isParallel);
            Advance(_offset, part);
            count -= part;
            source = ref Unsafe.Add(ref source, part);
        }
    }

    /// <summary>
    /// Copies bytes in that lie in the cursor's own segment, where the first <paramref name="part"/> of them would overwrite the others: those go first.
    /// </summary>
    private void CopyInBackward(ref byte source, int count, int part)
    {
        long position = _start + _offset;
        MoveTo(position + part);
        CopyIn(ref Unsafe.Add(ref source, part), count - part);
        MoveTo(position);
        Copy(ref source, ref Here, part, isParallel: false);
        MoveTo(position + count);
    }

    /// <summary>Whether bytes of <paramref name="source"/> lie where a write of all of it at the position would put others.</summary>
    private bool IsOverwritten(in ReadOnlySequence<byte> source)
    {
        long position = _start + _offset;
        if (position >= _length || source.IsSingleSegment)
        {
            return false;
        }

        ReadOnlySequence<byte> own = GetReadOnlySequence().Slice(position, Math.Min(source.Length, _length - position));
        foreach (ReadOnlyMemory<byte> target in own)
        {
            foreach (ReadOnlyMemory<byte> part in source)
            {
                if (part.Span.Overlaps(target.Span))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static bool Overlap(ref byte first, int firstCount, ref byte second, int secondCount) =>
        MemoryMarshal.CreateReadOnlySpan(ref first, firstCount).Overlaps(MemoryMarshal.CreateReadOnlySpan(ref second, secondCount));

    private bool IsParallel(long count) => _options.ParallelCopyThreshold > 0 && count >= _options.ParallelCopyThreshold;

    private static void Copy(ref byte source, ref byte target, int count, bool isParallel)
    {
        ReadOnlySpan<byte> from = MemoryMarshal.CreateReadOnlySpan(ref source, count);
        Span<byte> to = MemoryMarshal.CreateSpan(ref target, count);
        if (isParallel && !from.Overlaps(to))
        {
            BufferCopy.CopyParallel(from, to);
        }
        else
        {
            from.CopyTo(to);
        }
    }

    /// <summary>Makes room up to <paramref name="room"/>, with zeros from the length to <paramref name="end"/>; returns what <see cref="Reserve"/> does.</summary>
    private byte[]? Extend(long end, long room)
    {
        long before = Room;
        byte[]? replaced = Reserve(room, isZeroed: true);

        // Fresh native memory is zero, and writing zeros would make the system back it.
        Clear(_length, _options.Heap is null ? end : Math.Min(end, before));
        return replaced;
    }

    private void Clear(long position, long end)
    {
        if (_table is not { } table)
        {
            _array.AsSpan((int)position, (int)(end - position)).Clear();
            return;
        }

        for (int index = table.Find(position); position < end; index++)
        {
            ref Segment segment = ref table[index];
            int part = (int)(Math.Min(end, segment.End) - position);
            segment.GetSpan((int)(position - segment.Start), part).Clear();
            position += part;
        }
    }
}
