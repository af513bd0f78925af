namespace Tarn.Traces;

/// <summary>Passes a session's stream on, and knows whether it ended as the format has it or broke off.</summary>
internal sealed class EndOfStream(Stream stream) : Stream
{
    /// <summary>The tag that the runtime writes behind the last block: no further object follows.</summary>
    private const byte NoObject = 1;

    /// <summary>The tag before it, which ends the last block.</summary>
    private const byte EndOfObject = 6;

    private byte _last;
    private byte _beforeLast;

    /// <summary>Whether what was read so far is all that the process meant to send.</summary>
    internal bool IsWhole => (_beforeLast, _last) == (EndOfObject, NoObject);

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> buffer)
    {
        int read = stream.Read(buffer);
        if (read > 0)
        {
            _beforeLast = read > 1 ? buffer[read - 2] : _last;
            _last = buffer[read - 1];
        }

        return read;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
