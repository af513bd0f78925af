namespace Tarn;

/// <summary>Reads a <see cref="PooledMemoryStream"/> at a position of its own.</summary>
internal sealed class PooledStreamView(PooledMemoryStream contents) : Stream
{
    private PooledMemoryStream? _contents = contents;
    private long _position;

    public override bool CanRead => _contents is not null;

    public override bool CanSeek => _contents is not null;

    public override bool CanWrite => false;

    public override long Length => Viewed.ContentsLength;

    public override long Position
    {
        get
        {
            _ = Viewed;
            return _position;
        }

        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _ = Viewed;
            _position = value;
        }
    }

    private PooledMemoryStream Viewed => _contents
        ?? throw new ObjectDisposedException(nameof(Stream), "The view of the stream was disposed: open another one.");

    /// <summary>Whether the view reads the contents of <paramref name="stream"/>.</summary>
    internal bool Shows(PooledMemoryStream stream) => _contents == stream;

    public override int Read(Span<byte> buffer)
    {
        int read = Viewed.ReadAt(_position, buffer, isParallel: false);
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
        _position = StreamPosition.Find(offset, origin, _position, Length);
        return _position;
    }

    public override void Flush()
    {
    }

    /// <summary>Verifies the length before refusing the call, as <see cref="MemoryStream"/> does.</summary>
    public override void SetLength(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        throw ReadOnly();
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        _ = Viewed;
        throw ReadOnly();
    }

    public override IAsyncResult BeginRead(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        TaskToAsyncResult.Begin(ReadAsync(buffer, offset, count, CancellationToken.None), callback, state);

    public override int EndRead(IAsyncResult asyncResult) => TaskToAsyncResult.End<int>(asyncResult);

    protected override void Dispose(bool disposing)
    {
        _contents = null;
        base.Dispose(disposing);
    }

    private static NotSupportedException ReadOnly() => new("A view of a stream cannot be written: write to the stream.");
}
