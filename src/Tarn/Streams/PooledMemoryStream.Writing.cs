using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Writing.</content>
public sealed unsafe partial class PooledMemoryStream
{
    /// <summary>
    /// Writes bytes at the position, and advances the position. A gap between the length and the position is filled with zeros, even if
    /// <paramref name="buffer"/> is empty.
    /// </summary>
    /// <param name="buffer">The bytes. They may be in this stream's own memory.</param>
    /// <exception cref="IOException">
    /// The stream would exceed <see cref="PooledMemoryStreamOptions.MaxCapacity"/>; it is unchanged.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        ref StreamCursor at = ref _at;
        int offset = at.Bytes.Offset;
        int count = buffer.Length;
        if (count > at.Limit - offset)
        {
            WriteSlow(ref MemoryMarshal.GetReference(buffer), count);
            return;
        }

        CachedCopy.Copy(buffer, MemoryMarshal.CreateSpan(ref at.At(offset), count));
        at.Advance(offset, count);
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
    /// <param name="cancellationToken">If it is already cancelled, nothing is written and the result is cancelled.</param>
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

    /// <summary>Writes one byte at the position, and advances the position.</summary>
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public override void WriteByte(byte value)
    {
        ref StreamCursor at = ref _at;
        int offset = at.Bytes.Offset;
        if (offset >= at.Limit)
        {
            WriteByteSlow(value);
            return;
        }

        at.At(offset) = value;
        at.Advance(offset, 1);
    }

    /// <summary>Writes a sequence at the position, all of it or nothing, and advances the position.</summary>
    /// <param name="source">The bytes. They may be this stream's own.</param>
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public void Write(ReadOnlySequence<byte> source)
    {
        ThrowIfDisposed();
        if (_at.Bytes.Overlaps(source, Cursor))
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

        _at.Bytes.GiveBack(replaced);
    }

    /// <summary>A separate method, because a local whose address is taken is kept on the stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteByteSlow(byte value) => WriteSlow(ref value, 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(ref byte source, int count)
    {
        ThrowIfDisposed();
        if (_at.Bytes.IsFresh && count is > 0 and <= SegmentedBytes.LargestSegment && count <= Options.MaxCapacity)
        {
            Begin(ref source, count);
            return;
        }

        byte[]? replaced = Open(count);
        CopyIn(MemoryMarshal.CreateReadOnlySpan(ref source, count));
        _at.Bytes.GiveBack(replaced);
    }

    /// <summary>The first write of a stream without special options, which is the only write of most streams.</summary>
    private void Begin(ref byte source, int count)
    {
        ref StreamCursor at = ref _at;
        at.Limit = at.Bytes.TakeOnly(count);
        CachedCopy.Copy(MemoryMarshal.CreateReadOnlySpan(ref source, count), MemoryMarshal.CreateSpan(ref at.At(0), count));
        at.Bytes.Offset = count;
        at.Bytes.Length = count;
    }

    /// <summary>
    /// Prepares the stream for <paramref name="count"/> bytes at the position: takes memory, and writes zeros up to the position. Returns
    /// the replaced array, if any; release it when nothing reads it any more.
    /// </summary>
    private byte[]? Open(long count)
    {
        long position = Cursor;
        if (count > long.MaxValue - position)
        {
            StreamThrow.TooLong(Options.MaxCapacity);
        }

        byte[]? replaced = position > _at.Bytes.Length ? _at.Bytes.Extend(position, position + count) : _at.Bytes.Reserve(position + count);
        _at.Bytes.Length = Math.Max(_at.Bytes.Length, position);
        MoveTo(position);
        return replaced;
    }

    /// <summary>Copies bytes to the cursor, where there must be room, and moves the cursor.</summary>
    private void CopyIn(ReadOnlySpan<byte> source)
    {
        long end = Cursor + source.Length;
        if (source.Length > 0)
        {
            _at.Bytes.Write(Cursor, source);
            MoveTo(end);
        }
    }
}
