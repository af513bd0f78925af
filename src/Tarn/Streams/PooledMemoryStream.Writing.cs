using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing.</content>
public sealed unsafe partial class PooledMemoryStream
{
    /// <summary>
    /// Copies bytes in at the position, which moves. What lies between the length and the position is filled with zeros, also when there
    /// are no bytes.
    /// </summary>
    /// <param name="buffer">The bytes; may lie in this stream's own buffer.</param>
    /// <exception cref="IOException">
    /// The stream would pass <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
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
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(new ReadOnlySpan<byte>(buffer, offset, count));
    }

    /// <inheritdoc cref="Write(ReadOnlySpan{byte})"/>
    /// <param name="buffer">The bytes.</param>
    /// <param name="cancellationToken">If it is cancelled already, nothing is written and the result is cancelled.</param>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        try
        {
            Write(buffer.Span);
            return default;
        }
        catch (Exception e)
        {
            return ValueTask.FromException(e);
        }
    }

    /// <summary>Copies one byte in at the position, which moves.</summary>
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
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
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public void Write(ReadOnlySequence<byte> source)
    {
        ThrowIfDisposed();
        if (_bytes.Overlaps(source, Cursor))
        {
            using PooledMemoryStream copy = new(Options with { MaxCapacity = long.MaxValue, KeepContentsOnDispose = false }, source.Length);
            copy.Write(source);
            Write(copy.GetReadOnlySequence());
            return;
        }

        byte[]? replaced = Open(source.Length);
        foreach (ReadOnlyMemory<byte> part in source)
        {
            CopyIn(part.Span);
        }

        _bytes.GiveBack(replaced);
    }

    /// <summary>The cursor moves over bytes that were written, within its segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Advance(int offset, int count)
    {
        _offset = offset + count;
        long end = _bytes.CurrentStart + offset + count;
        if (end > _bytes.Length)
        {
            _bytes.Length = end;
        }
    }

    /// <summary>On its own, as a value whose address is taken lies on the stack.</summary>
    private void WriteByteSlow(byte value) => WriteSlow(ref value, 1);

    private void WriteSlow(ref byte source, int count)
    {
        ThrowIfDisposed();
        if (_bytes.IsFresh && count is > 0 and <= SegmentedBytes.LargestSegment)
        {
            Begin(ref source, count);
            return;
        }

        byte[]? replaced = Open(count);
        CopyIn(MemoryMarshal.CreateReadOnlySpan(ref source, count));
        _bytes.GiveBack(replaced);
    }

    /// <summary>The first write of a stream without options: what most streams do once, and nothing else.</summary>
    private void Begin(ref byte source, int count)
    {
        byte[] only = _bytes.TakeOnly(count);
        _limit = only.Length;
        MemoryMarshal.CreateReadOnlySpan(ref source, count).CopyTo(only);
        _offset = count;
        _bytes.Length = count;
    }

    /// <summary>
    /// Readies the stream for <paramref name="count"/> bytes at the position: memory, and zeros up to it. The array that was replaced, if
    /// one was, is to be released when nobody reads it any more.
    /// </summary>
    private byte[]? Open(long count)
    {
        long position = Cursor;
        if (count > long.MaxValue - position)
        {
            StreamThrow.TooLong(Options.MaxCapacity);
        }

        byte[]? replaced = position > _bytes.Length ? _bytes.Extend(position, position + count) : _bytes.Reserve(position + count);
        _bytes.Length = Math.Max(_bytes.Length, position);
        MoveTo(position);
        return replaced;
    }

    /// <summary>Copies bytes in from the cursor on, where there must be room, and moves it.</summary>
    private void CopyIn(ReadOnlySpan<byte> source)
    {
        long end = Cursor + source.Length;
        if (source.Length > 0)
        {
            _bytes.Write(Cursor, source);
            MoveTo(end);
        }
    }
}
