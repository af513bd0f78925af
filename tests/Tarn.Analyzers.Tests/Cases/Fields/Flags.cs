using System;
using System.Buffers;

sealed class RentedFlag : IDisposable
{
    private byte[] _buffer = [];
    private bool _isRented;

    public void Fill(int length)
    {
        _buffer = ArrayPool<byte>.Shared.Rent(length);
        _isRented = true;
    }

    public void Dispose()
    {
        if (_isRented)
        {
            ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
        }
    }
}

sealed class RentedFlagReset : IDisposable
{
    private byte[] _buffer = [];
    private bool _isRented;

    public void Fill(int length)
    {
        _buffer = ArrayPool<byte>.Shared.Rent(length);
        _isRented = true;
    }

    public void Dispose()
    {
        if (_isRented)
        {
            _isRented = false;
            ArrayPool<byte>.Shared.Return(_buffer);
        }
    }
}

sealed class RentedFlagOfHandler : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(100);
    private readonly IDisposable _source;
    private bool _isOpen;

    public RentedFlagOfHandler(Func<Action, IDisposable> open)
    {
        _isOpen = true;
        _source = open(() => _isOpen = false);
    }

    public void Dispose()
    {
        if (_isOpen)
        {
            _source.Dispose();
            ArrayPool<byte>.Shared.Return(_buffer);
        }
    }
}

sealed class RentedFlagOfMethod : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(100);
    private readonly Action _closed;
    private bool _isClosed;

    public RentedFlagOfMethod(Action closed) => _closed = closed;

    public void Close() => _isClosed = true;

    public void Dispose()
    {
        if (!_isClosed)
        {
            _closed();
            ArrayPool<byte>.Shared.Return(_buffer);
        }
    }
}

sealed class RentedFlagOfOther : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(100);
    private readonly Action<Action<RentedFlagOfOther>, RentedFlagOfOther> _register;
    private bool _isOpen = true;

    public RentedFlagOfOther(Action<Action<RentedFlagOfOther>, RentedFlagOfOther> register)
    {
        _register = register;
        _register(static closed => Close(closed), this);
    }

    private static void Close(RentedFlagOfOther closed) => closed._isOpen = false;

    public void Dispose()
    {
        if (_isOpen)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }
    }
}
