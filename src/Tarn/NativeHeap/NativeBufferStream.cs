using System.Buffers;

namespace Tarn.Native;

/// <summary>A stream over a <see cref="NativeBuffer{T}"/>, which it keeps alive and does not own.</summary>
/// <remarks>
/// It verifies arguments and throws exceptions as a <see cref="MemoryStream"/> over an array does. A call that copies pins the buffer, so
/// if another thread disposes the buffer during the copy, the block is freed only afterwards.
/// </remarks>
internal sealed class NativeBufferStream : Stream
{
    /// <summary>The most bytes that a copy passes on at once.</summary>
    private const int LargestPart = 1 << 30;

    /// <summary>The buffer; null after the stream was closed.</summary>
    private INativeBytes? _buffer;

    /// <summary>The position. Not negative; may be past the end.</summary>
    private long _position;

    /// <summary>The last completed task, reused when the next read returns the same number of bytes.</summary>
    private Task<int>? _lastRead;

    internal NativeBufferStream(INativeBytes buffer) => _buffer = buffer;

    public override bool CanRead => _buffer is not null;

    public override bool CanSeek => _buffer is not null;

    public override bool CanWrite => _buffer is not null;

    public override long Length => OpenBuffer().ByteLength;

    public override long Position
    {
        get
        {
            _ = OpenBuffer();
            return _position;
        }

        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _ = OpenBuffer();
            _position = value;
        }
    }

    public override long Seek(long offset, SeekOrigin origin)
    {
        INativeBytes buffer = OpenBuffer();
        long from = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => buffer.ByteLength,
            _ => throw new ArgumentException($"The origin {origin} is not a SeekOrigin: pass Begin, Current or End.", nameof(origin)),
        };
        if (offset > long.MaxValue - from)
        {
            throw new ArgumentOutOfRangeException(
                nameof(offset), offset, $"The offset from {from} leads past the largest position, {long.MaxValue}: pass a smaller one.");
        }

        long position = from + offset;
        if (position < 0)
        {
            throw new IOException($"Position {position} is before the beginning of the stream: seek to 0 or later.");
        }

        return _position = position;
    }

    public override void SetLength(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        if (value != Length)
        {
            throw FixedLength();
        }
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    public override unsafe int Read(Span<byte> buffer)
    {
        INativeBytes source = OpenBuffer();

        // Read once: what was verified must be what is used, even where another thread moves the position.
        long position = _position;
        if (position >= source.ByteLength || buffer.Length == 0)
        {
            return 0;
        }

        // Pinned, the buffer keeps its length.
        byte* bytes = source.PinAt(0);
        int count;
        try
        {
            count = (int)Math.Min(buffer.Length, Math.Max(source.PinnedByteLength - position, 0));
            BufferCopy.Copy(new ReadOnlySpan<byte>(bytes + position, count), buffer);
        }
        finally
        {
            source.Unpin();
        }

        _position = position + count;
        return count;
    }

    public override int ReadByte()
    {
        byte read = 0;
        return Read(new Span<byte>(ref read)) == 1 ? read : -1;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled<int>(cancellationToken);
        }

        try
        {
            int read = Read(buffer.AsSpan(offset, count));
            return _lastRead is { } last && last.Result == read ? last : _lastRead = Task.FromResult(read);
        }
#pragma warning disable CA1031 // not swallowed: the task carries the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            return Task.FromException<int>(e);
        }
    }

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
#pragma warning disable CA1031 // not swallowed: the task carries the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            return ValueTask.FromException<int>(e);
        }
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    public override unsafe void Write(ReadOnlySpan<byte> buffer)
    {
        INativeBytes target = OpenBuffer();
        long position = _position;
        byte* bytes = target.PinAt(0);
        try
        {
            if (position > target.PinnedByteLength - buffer.Length)
            {
                throw FixedLength();
            }

            BufferCopy.Copy(buffer, new Span<byte>(bytes + position, buffer.Length));
        }
        finally
        {
            target.Unpin();
        }

        _position = position + buffer.Length;
    }

    public override void WriteByte(byte value) => Write(new ReadOnlySpan<byte>(in value));

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        try
        {
            Write(buffer.Span);
            return ValueTask.CompletedTask;
        }
#pragma warning disable CA1031 // not swallowed: the task carries the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            return ValueTask.FromException(e);
        }
    }

    /// <summary>Writes the rest to <paramref name="destination"/> without an intermediate buffer.</summary>
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        INativeBytes source = OpenBuffer();
        while (NextPart(source) is { Length: > 0 } part)
        {
            using (part.Pin())
            {
                destination.Write(part.Span);
            }
        }
    }

    /// <summary>Writes the rest to <paramref name="destination"/> without an intermediate buffer.</summary>
    public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        INativeBytes source = OpenBuffer();
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : CopyAsync();

        async Task CopyAsync()
        {
            while (NextPart(source) is { Length: > 0 } part)
            {
                // Not every destination pins what it copies.
                using MemoryHandle pin = part.Pin();
                await destination.WriteAsync(part, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Does nothing: written bytes are in the buffer already.</summary>
    public override void Flush()
    {
    }

    /// <summary>Checks the token and does nothing else.</summary>
    public override Task FlushAsync(CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;

    public override IAsyncResult BeginRead(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        CanRead
            ? TaskToAsyncResult.Begin(ReadAsync(buffer, offset, count, CancellationToken.None), callback, state)
            : throw new NotSupportedException("The stream was disposed.");

    public override int EndRead(IAsyncResult asyncResult) => TaskToAsyncResult.End<int>(asyncResult);

    public override IAsyncResult BeginWrite(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        CanWrite
            ? TaskToAsyncResult.Begin(WriteAsync(buffer, offset, count, CancellationToken.None), callback, state)
            : throw new NotSupportedException("The stream was disposed.");

    public override void EndWrite(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);

    protected override void Dispose(bool disposing)
    {
        _buffer = null;
        base.Dispose(disposing);
    }

    private static NotSupportedException FixedLength() =>
        new("The stream has the fixed length of its buffer: do not write past its end or set another length.");

    private INativeBytes OpenBuffer()
    {
        INativeBytes? buffer = _buffer;
        ObjectDisposedException.ThrowIf(buffer is null, this);
        return buffer;
    }

    /// <summary>Returns the next part to copy and advances past it; empty at the end.</summary>
    private ReadOnlyMemory<byte> NextPart(INativeBytes source)
    {
        long position = _position;
        long left = source.ByteLength - position;
        int length = (int)Math.Clamp(left, 0, LargestPart);
        if (length == 0)
        {
            return default;
        }

        Memory<byte> part = source.GetBytes(position, length);
        _position = position + length;
        return part;
    }
}
