// oleg-st/ZstdSharp#8 (fixed by #9): with a decompressor that was to be kept, nothing told that the stream was disposed already, and each
// disposal returned the input buffer. The fix forgets the decompressor in both cases.
using System;
using System.Buffers;
using System.IO;

internal sealed class DecompressionStream : Stream
{
    private readonly Stream _inner;
    private readonly byte[] _input;
    private readonly bool _keepDecompressor;
    private Decompressor? _decompressor;

    public DecompressionStream(Stream inner, Decompressor decompressor, int bufferSize, bool keepDecompressor)
    {
        _inner = inner;
        _decompressor = decompressor;
        _keepDecompressor = keepDecompressor;
        _input = ArrayPool<byte>.Shared.Rent(bufferSize);
    }

    ~DecompressionStream() => Dispose(false);

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count)
    {
        int read = _inner.Read(_input, 0, Math.Min(count, _input.Length));
        return _decompressor!.Decompress(_input.AsSpan(0, read), buffer.AsSpan(offset, count));
    }

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (_decompressor == null)
        {
            return;
        }

        if (!_keepDecompressor)
        {
            _decompressor.Dispose();
        }

        _decompressor = null;

        ArrayPool<byte>.Shared.Return(_input);
    }
}

internal sealed class Decompressor : IDisposable
{
    public int Decompress(ReadOnlySpan<byte> source, Span<byte> target)
    {
        source.CopyTo(target);
        return source.Length;
    }

    public void Dispose()
    {
    }
}
