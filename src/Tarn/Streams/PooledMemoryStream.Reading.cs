using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>Reading.</content>
/// <remarks>
/// Asynchronous members find everything there, so they complete at once and allocate nothing; what fails fails through the task. The
/// members that take arrays are inherited: they call <see cref="Read(byte[], int, int)"/> and keep the last task.
/// </remarks>
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
        if (count > _limit - offset || count > _bytes.Length - _bytes.CurrentStart - offset)
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

    /// <inheritdoc cref="Read(Span{byte})"/>
    /// <param name="buffer">Where the bytes go.</param>
    /// <param name="cancellationToken">If it is cancelled already, nothing is read and the result is cancelled.</param>
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

    /// <summary>The byte at the position, which moves; -1 at the end of the stream and behind it.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int ReadByte()
    {
        int offset = _offset;
        if (_limit <= offset || _bytes.Length - _bytes.CurrentStart <= offset)
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
        long position = Cursor;
        int read = _bytes.Read(position, MemoryMarshal.CreateSpan(ref target, count), isParallel: true);
        if (read <= _limit - _offset)
        {
            _offset += read;
        }
        else if (read > 0)
        {
            MoveTo(position + read);
        }

        return read;
    }
}
