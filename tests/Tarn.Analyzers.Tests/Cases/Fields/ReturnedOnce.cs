using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

// Each of these gives its array back once, or may do so by what is not seen here.
sealed class NulledAfter : IDisposable
{
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        if (_buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }
}

sealed class ReplacedByEmpty : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }
}

sealed class Exchanged : IDisposable
{
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _buffer, null) is { } buffer)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

sealed class Swapped : IDisposable
{
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        (byte[]? buffer, _buffer) = (_buffer, null);
        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

sealed class ClearedByRef : IDisposable
{
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer!);
        Clear(ref _buffer);
    }

    private static void Clear<T>(ref T? value) => value = default;
}

sealed class ClearedBelow : IDisposable
{
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer!);
        Reset();
    }

    private void Reset() => Buffer = null;

    private byte[]? Buffer
    {
        get => _buffer;
        set => _buffer = value;
    }
}

sealed class Flagged : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private bool _isDisposed;

    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        ArrayPool<byte>.Shared.Return(_buffer);
    }
}

sealed class FlaggedAround : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    private bool IsDisposed { get; set; }

    public void Dispose()
    {
        if (_buffer != null && !IsDisposed)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            IsDisposed = true;
        }
    }
}

sealed class InterlockedFlag : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private int _state;

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _state, 1) != 0)
            return;
        ArrayPool<byte>.Shared.Return(_buffer);
    }
}

sealed class Counted : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private int _references = 1;

    public void Dispose()
    {
        if (Interlocked.Decrement(ref _references) == 0)
        {
            Free();
        }
    }

    private void Free() => ArrayPool<byte>.Shared.Return(_buffer);
}

sealed class States : IDisposable
{
    private enum State { Open, Closed }

    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private State _state;

    public void Dispose()
    {
        switch (_state)
        {
            case State.Open:
                ArrayPool<byte>.Shared.Return(_buffer);
                _state = State.Closed;
                break;
        }
    }
}

sealed class Refusing : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private readonly byte[] _other = ArrayPool<byte>.Shared.Rent(64);
    private bool _isDisposed;

    public void Dispose()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        _isDisposed = true;
        ArrayPool<byte>.Shared.Return(_buffer);
        Release();
    }

    private void Release()
    {
        Check();
        ArrayPool<byte>.Shared.Return(_other);
    }

    private void Check()
    {
        if (_isDisposed) throw new ObjectDisposedException(nameof(Refusing));
    }
}

// The flag is where the work is handed on.
class GuardedPattern : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private bool _isDisposed;

    public void Dispose()
    {
        if (!_isDisposed)
        {
            Dispose(true);
            _isDisposed = true;
        }
    }

    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }
    }
}

abstract class GuardingBase : IDisposable
{
    private bool _isDisposed;

    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        Dispose(true);
    }

    protected abstract void Dispose(bool disposing);
}

sealed class OverGuardingBase : GuardingBase
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    protected override void Dispose(bool disposing) => ArrayPool<byte>.Shared.Return(_buffer);
}

abstract class CallingCore : IDisposable
{
    public void Dispose() => DisposeCore();

    protected abstract void DisposeCore();
}

sealed class OverCore : CallingCore
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    protected override void DisposeCore() => ArrayPool<byte>.Shared.Return(_buffer);
}

class GuardedStream(byte[] bytes) : MemoryStream(bytes)
{
    private readonly byte[] _bytes = bytes;

    protected override void Dispose(bool disposing)
    {
        if (CanRead)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        base.Dispose(disposing);
    }
}
