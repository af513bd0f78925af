using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;

// The smallest: nothing asks, nothing clears.
sealed class Plain : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
        GC.SuppressFinalize(this);
    }
}

// A question for null that is never answered otherwise.
sealed class OnlyNullChecked : IDisposable
{
    private readonly byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);
    private char[]? _text = ArrayPool<char>.Shared.Rent(64);
    private int[]? _numbers = ArrayPool<int>.Shared.Rent(64);

    public void Dispose()
    {
        if (_buffer != null)
        {
            ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
        }

        if (_text is { Length: > 0 } text)
            ArrayPool<char>.Shared.Return(text, clearArray: true); // expect TARN005
        if (_numbers is null) return;
        ArrayPool<int>.Shared.Return(_numbers); // expect TARN005
    }
}

// A field that cannot change is no flag, nor is a local of the same array.
sealed class FromPoolOrNot(byte[] given, bool isPooled) : IDisposable
{
    private readonly bool _isPooled = isPooled;
    private readonly byte[] _array = given;

    public int Capacity { get; } = 64;

    public void Dispose()
    {
        byte[] array = _array;
        if (_isPooled && array.Length > 0 && Capacity > 0 && array != Array.Empty<byte>())
        {
            ArrayPool<byte>.Shared.Return(array); // expect TARN005
        }
    }
}

sealed class Captured(byte[] array, ArrayPool<byte> pool) : IDisposable
{
    public void Dispose() => pool.Return(array); // expect TARN005
}

sealed class Automatic : IDisposable
{
    public byte[] Array { get; private set; } = ArrayPool<byte>.Shared.Rent(64);

    void IDisposable.Dispose() => ArrayPool<byte>.Shared.Return(Array); // expect TARN005
}

// The pattern with Dispose(bool): 'disposing' tells the finalizer apart, nothing else.
class Pattern : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private readonly Stream _stream = new MemoryStream();

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        if (!disposing)
        {
            return;
        }

        try
        {
            _stream.Dispose();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
        }
    }
}

// Stream.Dispose comes to Dispose(bool) each time.
class PooledStream(byte[] bytes) : MemoryStream(bytes)
{
    private readonly byte[] _bytes = bytes;

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        if (disposing)
        {
            ArrayPool<byte>.Shared.Return(_bytes); // expect TARN005
        }
    }
}

sealed class Manager : MemoryManager<byte>
{
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(64);

    public override Span<byte> GetSpan() => _array;

    public override MemoryHandle Pin(int elementIndex = 0) => default;

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing) => ArrayPool<byte>.Shared.Return(_array); // expect TARN005
}

// The base class is here, and asks nothing.
abstract class PlainBase : IDisposable
{
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool disposing);
}

sealed class OverPlainBase : PlainBase
{
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(64);

    protected override void Dispose(bool disposing) => ArrayPool<byte>.Shared.Return(_array); // expect TARN005
}

// A private method on the way.
sealed class ThroughMethods : IAsyncDisposable, IDisposable
{
    private readonly Stream _stream = new MemoryStream();
    private byte[] _input = ArrayPool<byte>.Shared.Rent(64);
    private byte[] _output = ArrayPool<byte>.Shared.Rent(64);

    public async ValueTask DisposeAsync()
    {
        await _stream.DisposeAsync();
        Release();
    }

    public void Dispose()
    {
        lock (_stream)
        {
            if (_input is not null)
            {
                Release();
            }

            _stream.Dispose();
        }
    }

    private void Release()
    {
        ArrayPool<byte>.Shared.Return(_input); // expect TARN005
        ArrayPool<byte>.Shared.Return(_output); // expect TARN005
    }
}

// One of two is cleared.
sealed class HalfCleared : IDisposable
{
    private byte[]? _first = ArrayPool<byte>.Shared.Rent(64);
    private byte[] _second = ArrayPool<byte>.Shared.Rent(64);
    private Stream? _stream;

    public void Dispose()
    {
        if (_stream != null)
        {
            _stream.Dispose();
        }

        _stream?.Close();
        byte[]? first = _first;
        _first = null;
        if (first != null)
        {
            ArrayPool<byte>.Shared.Return(first);
        }

        ArrayPool<byte>.Shared.Return(_second); // expect TARN005
    }
}

// Returned by Dispose, and by the finalizer once more.
sealed class Finalized : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005

    ~Finalized() => ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
}

readonly struct Handle(byte[] array) : IDisposable
{
    private readonly byte[] _array = array;

    public void Dispose() => ArrayPool<byte>.Shared.Return(_array); // expect TARN005
}

struct Writer : IDisposable
{
    private byte[] _buffer;

    public Writer(int length) => _buffer = ArrayPool<byte>.Shared.Rent(length);

    public void Dispose()
    {
        if (_buffer != null)
            ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
    }
}

unsafe sealed class Block : IDisposable
{
    private readonly Tarn.Native.NativeHeap _heap = Tarn.Native.NativeHeap.Shared;
    private void* _block = Tarn.Native.NativeHeap.Shared.Allocate(100);

    public void Dispose() => _heap.Free(_block, 100); // expect TARN005
}

partial class TwoParts : IDisposable
{
    partial void Ended();

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
        Ended();
    }
}

partial class TwoParts
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
}

record Recorded(byte[] Array) : IDisposable
{
    public void Dispose() => ArrayPool<byte>.Shared.Return(Array); // expect TARN005
}

class Outer : IDisposable
{
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(64);

    public void Dispose()
    {
        if (_buffer != null) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = null;
    }

    internal sealed class Inner<T> : IMemoryOwner<T>
    {
        private readonly T[] _array = ArrayPool<T>.Shared.Rent(64);

        public Memory<T> Memory => _array;

        public void Dispose() => ArrayPool<T>.Shared.Return(_array); // expect TARN005
    }
}

// Private, yet handed out as what others dispose.
sealed class Pool : MemoryPool<byte>
{
    public override int MaxBufferSize => 1000;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1) => new Owner(minBufferSize);

    protected override void Dispose(bool disposing)
    {
    }

    private sealed class Owner(int length) : IMemoryOwner<byte>
    {
        private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(length);

        public Memory<byte> Memory => _array;

        public void Dispose() => ArrayPool<byte>.Shared.Return(_array); // expect TARN005
    }
}

// The interface's method leads to one with more parameters.
sealed class Flushing(Stream stream) : IAsyncDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(64);
    private int _count;

    ValueTask IAsyncDisposable.DisposeAsync() => DisposeAsync(flush: true);

    public async ValueTask DisposeAsync(bool flush)
    {
        await FlushAsync();
        ArrayPool<byte>.Shared.Return(_buffer); // expect TARN005
    }

    private async Task FlushAsync()
    {
        if (_count > 0)
        {
            await stream.WriteAsync(_buffer.AsMemory(0, _count));
            _count = 0;
        }
    }
}

// A flag that nobody sets.
sealed class FlagForgotten : IDisposable
{
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(64);
#pragma warning disable CS0649
    private bool _isDisposed;
#pragma warning restore CS0649

    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        ArrayPool<byte>.Shared.Return(_array); // expect TARN005
    }
}

// A flag that stays unset by a setting.
sealed class FlagBySetting(Stream stream, bool leaveOpen) : Stream
{
    private readonly bool _leaveOpen = leaveOpen;
    private readonly byte[] _array = ArrayPool<byte>.Shared.Rent(64);
    private Stream? _stream = stream;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => 0;

    public override long Position { get; set; }

    protected override void Dispose(bool disposing)
    {
        if (_stream == null)
            return;

        if (!_leaveOpen)
        {
            _stream.Dispose();
            _stream = null;
        }

        ArrayPool<byte>.Shared.Return(_array); // expect TARN005
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => 0;

    public override long Seek(long offset, SeekOrigin origin) => 0;

    public override void SetLength(long value)
    {
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
    }
}
