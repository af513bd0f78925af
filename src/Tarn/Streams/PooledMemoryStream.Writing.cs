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
        if (count > at.Access.Limit - offset || at.Bytes.CurrentArray is not { } array)
        {
            WriteSlow(ref MemoryMarshal.GetReference(buffer), count);
            return;
        }

        CachedCopy.Copy(buffer, MemoryMarshal.CreateSpan(ref StreamCursor.At(array, offset), count));
        at.Advance(offset, count);
    }

    /// <inheritdoc/>
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(new ReadOnlySpan<byte>(buffer, offset, count));
    }

    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/*[not(self::param)]"/>
    /// <param name="buffer">The bytes.</param>
    /// <param name="cancellationToken">
    /// If it is already cancelled, or is while the call waits for a <see cref="PooledMemoryStreamOptions.Budget"/>, nothing is written and
    /// the result is cancelled.
    /// </param>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        // A hit, and a stream without a budget, take no detour.
        if (buffer.Length > _at.Access.Limit - _at.Bytes.Offset && Options.Budget is { } budget)
        {
            return WriteBudgetedAsync(buffer, budget, cancellationToken);
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

    private ValueTask WriteBudgetedAsync(ReadOnlyMemory<byte> buffer, BufferBudget budget, CancellationToken cancellationToken)
    {
        ValueTask<bool> written = BudgetedCall.RunAsync(
            budget,
            new StreamWait(this),
            (Stream: this, Buffer: buffer),
            static write =>
            {
                write.Stream.Write(write.Buffer.Span);
                return true;
            },
            cancellationToken);
        return written.IsCompletedSuccessfully ? default : new ValueTask(written.AsTask());
    }

    /// <inheritdoc/>
    /// <inheritdoc cref="WriteAsync(ReadOnlyMemory{byte}, CancellationToken)" path="/exception"/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <summary>Writes one byte at the position, and advances the position.</summary>
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public override void WriteByte(byte value)
    {
        ref StreamCursor at = ref _at;
        int offset = at.Bytes.Offset;
        if (offset >= at.Access.Limit || at.Bytes.CurrentArray is not { } array)
        {
            WriteByteSlow(value);
            return;
        }

        StreamCursor.At(array, offset) = value;
        at.Advance(offset, 1);
    }

    /// <summary>Writes a sequence at the position, all of it or nothing, and advances the position.</summary>
    /// <param name="source">The bytes. They may be this stream's own.</param>
    /// <inheritdoc cref="Write(ReadOnlySpan{byte})" path="/exception"/>
    public void Write(ReadOnlySequence<byte> source)
    {
        using CallInside inside = Enter();
        if (_at.Bytes.Overlaps(source, Cursor))
        {
            WriteCopyOf(source);
            return;
        }

        byte[]? replaced = Open(source.Length);
        foreach (ReadOnlyMemory<byte> part in source)
        {
            CopyIn(part.Span);
        }

        _at.Bytes.GiveBack(replaced);
    }

    /// <summary>Writes a sequence that the write would change, by way of a copy.</summary>
    private void WriteCopyOf(in ReadOnlySequence<byte> source)
    {
        using PooledMemoryStream copy =
            new(new PooledMemoryStreamOptions(Options) { MaxCapacity = long.MaxValue, KeepContentsOnDispose = false });
        ref SegmentedBytes part = ref copy.Bytes;
        PooledMemoryStreamOptions own = part.Options;
        BudgetHolder? holder = _at.Bytes.Holder;
        try
        {
            // The copy is a part of this stream: its wait ends with this one, which keeps its own bytes meanwhile.
            holder?.HeldBeside = _at.Bytes.Held;
            part.Options = new PooledMemoryStreamOptions(own) { Holder = holder };
            copy.LongCapacity = source.Length;
            part.Options = own;
            copy.Write(source);
            holder?.HeldBeside = part.Held;
            Write(copy.GetReadOnlySequence());
        }
        finally
        {
            part.Options = own;
            holder?.HeldBeside = 0;
        }
    }

    /// <summary>A separate method, because a local whose address is taken is kept on the stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteByteSlow(byte value)
    {
        ref StreamCursor at = ref _at;
        if (at.Bytes.CurrentPointer is null || !at.Access.TryBeginHit(out nint self))
        {
            WriteSlow(ref value, 1);
            return;
        }

        int offset = at.Bytes.Offset;
        bool isHit = offset < Volatile.Read(ref at.Access.Limit);
        if (isHit)
        {
            at.Bytes.CurrentPointer[offset] = value;
            at.Advance(offset, 1);
        }

        at.Access.EndHit(self);
        if (!isHit)
        {
            WriteInside(ref value, 1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(ref byte source, int count)
    {
        if (_at.Bytes.CurrentPointer is not null && TryWriteNative(ref source, count))
        {
            return;
        }

        ThrowIfDisposed();
        if (_at.Bytes.IsFresh && count is > 0 and <= SegmentedBytes.LargestSegment && count <= Options.MaxCapacity)
        {
            if (_at.Bytes.IsDefault)
            {
                Begin(ref source, count);
            }
            else
            {
                BeginNative(ref source, count);
            }

            return;
        }

        WriteInside(ref source, count);
    }

    /// <summary>A separate method, because an exception handler costs time even where it is not needed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteInside(ref byte source, int count)
    {
        using CallInside inside = Enter();
        byte[]? replaced = Open(count);
        CopyIn(MemoryMarshal.CreateReadOnlySpan(ref source, count));
        _at.Bytes.GiveBack(replaced);
    }

    /// <summary>The first write of a stream without special options, which is the only write of most streams.</summary>
    /// <remarks>
    /// It does not enter, which would take a third of its time. A Dispose on another thread either finds the array, and then its stores
    /// follow these, or leaves it to this stream: no other stream gets it, and its next slow call fails.
    /// </remarks>
    private void Begin(ref byte source, int count)
    {
        ref StreamCursor at = ref _at;
        byte[] array = SegmentedBytes.RentOnly(count);
        CachedCopy.Copy(MemoryMarshal.CreateReadOnlySpan(ref source, count), array);
        at.Access.Limit = array.Length;
        at.Bytes.CurrentSize = array.Length;
        at.Bytes.Offset = count;
        at.Bytes.Length = count;
        Volatile.Write(ref at.Bytes.CurrentArray, array);
        if (at.Access.Calls.IsDisposed)
        {
            at.Access.Limit = StreamAccess.Closed;
            StreamThrow.Disposed();
        }
    }

    /// <summary>The same, into native memory.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void BeginNative(ref byte source, int count)
    {
        using CallInside inside = Enter();
        ref StreamCursor at = ref _at;
        at.Access.Limit = at.Bytes.TakeOnly(count);
        at.Access.AllowHits();
        CachedCopy.Copy(MemoryMarshal.CreateReadOnlySpan(ref source, count), new Span<byte>(at.Bytes.CurrentPointer, count));
        at.Bytes.Offset = count;
        at.Bytes.Length = count;
    }

    /// <summary>Writes as a hit does, to native memory; false when the call must enter.</summary>
    private bool TryWriteNative(ref byte source, int count)
    {
        ref StreamCursor at = ref _at;
        if (count > StreamAccess.MostHitBytes || !at.Access.TryBeginHit(out nint self))
        {
            return false;
        }

        int offset = at.Bytes.Offset;
        bool isHit = count <= Volatile.Read(ref at.Access.Limit) - offset;
        if (isHit)
        {
            CachedCopy.Copy(MemoryMarshal.CreateReadOnlySpan(ref source, count), new Span<byte>(at.Bytes.CurrentPointer + offset, count));
            at.Advance(offset, count);
        }

        at.Access.EndHit(self);
        return isHit;
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
