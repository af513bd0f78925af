namespace Tarn;

/// <summary>Reads a <see cref="PooledMemoryStream"/> at a position of its own.</summary>
internal sealed class PooledStreamView(PooledMemoryStream contents) : Stream
{
    private PooledMemoryStream? _contents = contents;
    private long _position;

    public override bool CanRead => _contents is not null;

    public override bool CanSeek => _contents is not null;

    public override bool CanWrite => false;

    public override long Length => Contents.LengthOfContents;

    public override long Position
    {
        get
        {
            _ = Contents;
            return _position;
        }

        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _ = Contents;
            _position = value;
        }
    }

    private PooledMemoryStream Contents => _contents ?? throw new ObjectDisposedException(nameof(Stream), "This view of the stream was disposed.");

    /// <summary>Whether it is this stream's contents that it reads.</summary>
    internal bool Shows(PooledMemoryStream stream) => _contents == stream;

    public override int Read(Span<byte> buffer)
    {
        int read = Contents.ReadAt(_position, buffer);
        _position += read;
        return read;
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    public override int ReadByte()
    {
        byte read = 0;
        return Read(new Span<byte>(ref read)) == 0 ? -1 : read;
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
        catch (ObjectDisposedException e)
        {
            return ValueTask.FromException<int>(e);
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    public override long Seek(long offset, SeekOrigin origin)
    {
        long from = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => Length,
            _ => throw new ArgumentException($"{origin} is no origin of a seek.", nameof(origin)),
        };
        _ = Contents;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, long.MaxValue - from);
        if (from + offset < 0)
        {
            throw new IOException($"{offset} bytes from {from} lies before the beginning of the stream.");
        }

        _position = from + offset;
        return _position;
    }

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException("This view of the stream cannot be written.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("This view of the stream cannot be written.");

    protected override void Dispose(bool disposing)
    {
        _contents = null;
        base.Dispose(disposing);
    }
}
