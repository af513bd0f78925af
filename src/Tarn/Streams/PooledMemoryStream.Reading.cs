using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Reading.</content>
/// <remarks>
/// Asynchronous members find all bytes in memory, so they complete at once and allocate nothing; they report failures through the task. The
/// members that take arrays are inherited: they call <see cref="Read(byte[], int, int)"/> and keep the last task.
/// </remarks>
public sealed unsafe partial class PooledMemoryStream
{
    /// <summary>Reads bytes from the position on, and advances the position.</summary>
    /// <param name="buffer">Receives the bytes.</param>
    /// <returns>The number of bytes read: fewer than requested only near the end of the stream, and 0 at the end and past it.</returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override int Read(Span<byte> buffer)
    {
        ref StreamCursor at = ref _at;
        int offset = at.Bytes.Offset;
        int count = buffer.Length;
        if (count > at.Access.Limit - offset || count > at.Bytes.Length - at.Bytes.CurrentStart - offset
            || at.Bytes.CurrentArray is not { } array)
        {
            return ReadSlow(ref MemoryMarshal.GetReference(buffer), count);
        }

        CachedCopy.CopyOut(MemoryMarshal.CreateReadOnlySpan(ref StreamCursor.At(array, offset), count), buffer);
        at.Bytes.Offset = offset + count;
        return count;
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(new Span<byte>(buffer, offset, count));
    }

    /// <inheritdoc cref="Read(Span{byte})" path="/*[not(self::param)]"/>
    /// <param name="buffer">Receives the bytes.</param>
    /// <param name="cancellationToken">If it is already cancelled, nothing is read and the result is cancelled.</param>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        try
        {
            return new ValueTask<int>(Read(buffer.Span));
        }
        catch (Exception e)
        {
            return ValueTask.FromException<int>(e);
        }
    }

    /// <summary>Reads the byte at the position and advances the position. Returns -1 at the end of the stream and past it.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int ReadByte()
    {
        ref StreamCursor at = ref _at;
        int offset = at.Bytes.Offset;
        if (offset >= at.Access.Limit || offset >= at.Bytes.Length - at.Bytes.CurrentStart || at.Bytes.CurrentArray is not { } array)
        {
            return ReadByteSlow();
        }

        at.Bytes.Offset = offset + 1;
        return StreamCursor.At(array, offset);
    }

    /// <summary>A separate method, because a local whose address is taken is kept on the stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ReadByteSlow()
    {
        byte read = 0;
        return ReadSlow(ref read, 1) == 0 ? -1 : read;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ReadSlow(ref byte target, int count)
    {
        ThrowIfDisposed();
        if (_at.Bytes.CurrentPointer is not null && TryReadNative(ref target, ref count))
        {
            return count;
        }

        long position = Cursor;
        int read = ReadAt(position, MemoryMarshal.CreateSpan(ref target, count), isParallel: true);
        if (read <= _at.Access.Limit - _at.Bytes.Offset)
        {
            _at.Bytes.Offset += read;
        }
        else if (read > 0)
        {
            SetPositionSlow(position + read);
        }

        return read;
    }

    /// <summary>
    /// Reads as a hit does, from native memory, up to the end of an only segment; false when the call must enter. Sets the number of bytes
    /// read.
    /// </summary>
    private bool TryReadNative(ref byte target, ref int count)
    {
        ref StreamCursor at = ref _at;
        if (count > StreamAccess.MostHitBytes || !at.Access.TryBeginHit(out nint self))
        {
            return false;
        }

        int offset = at.Bytes.Offset;
        long room = Math.Min(Volatile.Read(ref at.Access.Limit), at.Bytes.Length - at.Bytes.CurrentStart) - offset;
        bool isHit = count <= room || (room >= 0 && at.Bytes.Table is null);
        if (isHit)
        {
            count = (int)Math.Min(count, room);
            CachedCopy.CopyOut(
                new ReadOnlySpan<byte>(at.Bytes.CurrentPointer + offset, count), MemoryMarshal.CreateSpan(ref target, count));
            at.Bytes.Offset = offset + count;
        }

        at.Access.EndHit(self);
        return isHit;
    }

    /// <summary>Copies bytes of the contents, wherever the cursor is, and returns their number.</summary>
    /// <remarks>
    /// Arrays are read without entering, so that many views can read at once: a Dispose meanwhile returns them to their pool and changes
    /// neither them nor the table. Native memory might be gone.
    /// </remarks>
    internal int ReadAt(long position, Span<byte> target, bool isParallel)
    {
        ref SegmentedBytes bytes = ref _at.Bytes;
        if (Options.Heap is null)
        {
            long length = bytes.Length;
            SegmentTable? table = Volatile.Read(ref bytes.Table);
            byte[]? only = Volatile.Read(ref bytes.CurrentArray);
            ThrowIfContentsAreGone();
            if (only is not null)
            {
                return bytes.Read(table, only, length, position, target, isParallel);
            }
        }

        return ReadInside(position, target, isParallel);
    }

    /// <summary>A separate method, because an exception handler costs time even where it is not needed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ReadInside(long position, Span<byte> target, bool isParallel)
    {
        using CallInside inside = EnterContents();
        return _at.Bytes.Read(position, target, isParallel);
    }
}
