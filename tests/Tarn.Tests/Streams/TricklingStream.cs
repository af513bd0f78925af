namespace Tarn.Tests.Streams;

/// <summary>
/// Returns at most a given number of bytes at a time, fails at a given position, and reports its length only if it can seek.
/// </summary>
internal sealed class TricklingStream(byte[] contents, int most, bool canSeek = false, int failsAt = int.MaxValue) : Stream
{
    private int _position;

    public override bool CanRead => true;

    public override bool CanSeek => canSeek;

    public override bool CanWrite => false;

    public override long Length => canSeek ? contents.Length : throw new NotSupportedException();

    public override long Position
    {
        get => canSeek ? _position : throw new NotSupportedException();
        set => _position = (int)value;
    }

    internal int Reads { get; private set; }

    public override int Read(Span<byte> buffer)
    {
        Reads++;
        if (_position >= failsAt)
        {
            throw new IOException("The source fails.");
        }

        int count = Math.Min(Math.Min(most, buffer.Length), Math.Min(contents.Length, failsAt) - _position);
        contents.AsSpan(_position, count).CopyTo(buffer);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_position % 2 == 0)
        {
            await Task.Yield();
        }

        return Read(buffer.Span);
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
