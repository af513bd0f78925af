using System;
using System.Buffers;

internal sealed class Resets : IDisposable
{
    private byte[]? _buffer;
    private byte[]? _cleared;
    private byte[]? _replaced;
    private byte[]? _flagged;
    private bool _isDisposed;

    public void Begin(int length) => _buffer = _cleared = _replaced = _flagged = ArrayPool<byte>.Shared.Rent(length);

    public void Reset()
    {
        if (_buffer is null)
        {
            return;
        }

        Array.Clear(_buffer);
        ArrayPool<byte>.Shared.Return(_buffer); // expect TARN001
    }

    public void ResetAndForget()
    {
        if (_cleared is not null)
        {
            ArrayPool<byte>.Shared.Return(_cleared);
            _cleared = null;
        }
    }

    public void ResetAndRent()
    {
        ArrayPool<byte>.Shared.Return(_replaced!);
        Renew();
    }

    public void End()
    {
        ArrayPool<byte>.Shared.Return(_flagged!);
        _isDisposed = true;
    }

    public void Dispose()
    {
        if (_buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }

        if (_cleared is not null)
        {
            ArrayPool<byte>.Shared.Return(_cleared);
            _cleared = null;
        }

        if (_replaced is not null)
        {
            ArrayPool<byte>.Shared.Return(_replaced);
            _replaced = null;
        }

        if (!_isDisposed && _flagged is not null)
        {
            ArrayPool<byte>.Shared.Return(_flagged);
            _flagged = null;
        }
    }

    private void Renew() => _replaced = ArrayPool<byte>.Shared.Rent(16);
}
