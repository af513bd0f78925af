using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

// Each of these gives its array back once, by its finalizer, its owner, an object it asks, or another time than Dispose.

// A finalizer runs once.
sealed class OnlyFinalized : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose() => GC.SuppressFinalize(this);

    ~OnlyFinalized() => ArrayPool<byte>.Shared.Return(_buffer);
}

class FromFinalizerOnly : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private readonly byte[] _late = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        Dispose(true);
        Release(false);
    }

    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
        {
            GC.SuppressFinalize(this);
        }
        else
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }
    }

    private void Release(bool isLate)
    {
        if (isLate) ArrayPool<byte>.Shared.Return(_late);
    }

    ~FromFinalizerOnly() => Dispose(false);
}

// Other ways back.
sealed class NotInDispose : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
    }

    public void Complete() => ArrayPool<byte>.Shared.Return(_buffer);
}

sealed class NotDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);
}

sealed class Emptied : IDisposable
{
    private readonly Queue<byte[]> _buffers = new();

    public void Dispose()
    {
        while (_buffers.TryDequeue(out byte[]? buffer))
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

sealed class Owned : IDisposable
{
    private readonly IMemoryOwner<byte> _owner = MemoryPool<byte>.Shared.Rent(64);
    private readonly byte[] _array = new byte[64];

    public void Dispose() => _owner.Dispose();
}

sealed class HandedOver : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        Registry.Forget(this);
    }
}

static class Registry
{
    public static void Forget(object o)
    {
    }
}

// Cancel of a source that was disposed throws, before anything is returned.
sealed class ThrowsFirst : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        _stop.Cancel();
        _stop.Dispose();
        ArrayPool<byte>.Shared.Return(_buffer);
    }
}

sealed class ConditionOfOther : IAsyncDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private readonly Stream _stream = new MemoryStream();
    private Task? _reading;

    public async ValueTask DisposeAsync()
    {
        if (_reading is null || !_stream.CanRead)
        {
            return;
        }

        await _reading;
        ArrayPool<byte>.Shared.Return(_buffer);
    }
}

sealed class TryOnce : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private readonly OnceFlag _once = new();

    public void Dispose()
    {
        if (!_once.TrySet())
            return;
        ArrayPool<byte>.Shared.Return(_buffer);
    }
}

sealed class OnceFlag
{
    private int _isSet;

    public bool TrySet() => Interlocked.Exchange(ref _isSet, 1) == 0;
}

sealed class FlagInObject : IDisposable
{
    private readonly OnceState _state = new();
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private readonly byte[] _other = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        if (_state is { IsDone: false })
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }

        if (!_state.IsDone) ArrayPool<byte>.Shared.Return(_other);
        _state.IsDone = true;
    }
}

sealed class OnceState
{
    public bool IsDone { get; set; }
}

// Later, and by a local that became another array.
sealed class Later : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        byte[] buffer = _buffer;
        buffer = ArrayPool<byte>.Shared.Rent(1);
        ArrayPool<byte>.Shared.Return(buffer);
        ThreadPool.QueueUserWorkItem(_ => ArrayPool<byte>.Shared.Return(_buffer));
    }
}

// Structs that one method holds, and enumerators.
ref struct OnStack
{
    private byte[]? _buffer;

    public OnStack(int length) => _buffer = ArrayPool<byte>.Shared.Rent(length);

    public void Dispose()
    {
        if (_buffer != null) ArrayPool<byte>.Shared.Return(_buffer);
    }
}

struct Cleared : IDisposable
{
    private byte[]? _buffer;

    public Cleared(int length) => _buffer = ArrayPool<byte>.Shared.Rent(length);

    public void Dispose()
    {
        byte[]? buffer = _buffer;
        this = default;
        if (buffer != null) ArrayPool<byte>.Shared.Return(buffer);
    }
}

struct Numbers : IEnumerator<int>
{
    private readonly int[] _numbers = ArrayPool<int>.Shared.Rent(4);
    private int _index = -1;

    public Numbers()
    {
    }

    public readonly int Current => _numbers[_index];

    readonly object System.Collections.IEnumerator.Current => Current;

    public bool MoveNext() => ++_index < 4;

    public void Reset() => _index = -1;

    public readonly void Dispose() => ArrayPool<int>.Shared.Return(_numbers);
}

// Nobody but the type around it disposes it.
sealed class Whole
{
    int Sum(int n)
    {
        using Part part = new(n);
        return part.Length;
    }

    private sealed class Part(int n) : IDisposable
    {
        private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(n);

        public int Length => _array.Length;

        public void Dispose() => ArrayPool<byte>.Shared.Return(_array);
    }
}

// The private method leaves by what it finds in another field.
sealed class LeftInMethod : IDisposable
{
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(1);
    private int _used;

    public void Dispose() => Release();

    private void Release()
    {
        if (_used == 0)
        {
            return;
        }

        _used = 0;
        ArrayPool<byte>.Shared.Return(_array);
    }
}

// Conditional access of what may be gone, a coalesced throw, a switch expression.
sealed class OtherWays : IDisposable
{
    private readonly byte[] _first = ArrayPool<byte>.Shared.Rent(1);
    private readonly byte[] _second = ArrayPool<byte>.Shared.Rent(1);
    private ArrayPool<byte>? _pool = ArrayPool<byte>.Shared;
    private object? _gate = new();

    public void Dispose()
    {
        _pool?.Return(_first);
        _pool = null;
        object gate = _gate ?? throw new ObjectDisposedException(nameof(OtherWays));
        _gate = null;
        lock (gate)
        {
            ArrayPool<byte>.Shared.Return(_second);
        }
    }
}

// The flag is set by whoever hears of the end.
sealed class FlagByCallback : IDisposable
{
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(64);
    private readonly CancellationTokenSource _stop = new();
    private bool _isOver;

    public FlagByCallback() => _stop.Token.Register(End);

    public void Dispose()
    {
        if (_isOver)
        {
            return;
        }

        _stop.Cancel();
        ArrayPool<byte>.Shared.Return(_array);
    }

    private void End() => _isOver = true;
}

// Stays open by a setting, and then returns nothing.
sealed class BySettingBoth(bool isPooled, Stream? stream) : IDisposable
{
    private readonly bool _isPooled = isPooled;
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(64);
    private Stream? _stream = stream;

    public void Dispose()
    {
        if (_stream is null) return;
        if (_isPooled)
        {
            ArrayPool<byte>.Shared.Return(_array);
            _stream = null;
        }
    }
}
