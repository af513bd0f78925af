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
        if (count > at.Limit - offset || count > at.Bytes.Length - at.Bytes.CurrentStart - offset)
        {
            return ReadSlow(ref MemoryMarshal.GetReference(buffer), count);
        }

        CachedCopy.CopyOut(MemoryMarshal.CreateReadOnlySpan(ref at.At(offset), count), buffer);
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

    /// <inheritdoc cref="Read(Span{byte})"/>
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
        if (offset >= at.Limit || offset >= at.Bytes.Length - at.Bytes.CurrentStart)
        {
            return ReadByteSlow();
        }

        at.Bytes.Offset = offset + 1;
        return at.At(offset);
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
        long position = Cursor;
        int read = _at.Bytes.Read(position, MemoryMarshal.CreateSpan(ref target, count), isParallel: true);
        if (read <= _at.Limit - _at.Bytes.Offset)
        {
            _at.Bytes.Offset += read;
        }
        else if (read > 0)
        {
            MoveTo(position + read);
        }

        return read;
    }
}
