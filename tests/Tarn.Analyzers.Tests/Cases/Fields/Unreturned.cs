using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Threading;

/// <summary>The array is used in every way but returned.</summary>
internal sealed class UnreturnedRing : IDisposable
{
    private readonly int _capacity;
    private byte[]? _buffer;
    private bool _isDisposed;

    internal UnreturnedRing(int capacity)
    {
        _capacity = capacity;
        _buffer = ArrayPool<byte>.Shared.Rent(capacity); // expect TARN011
    }

    internal ReadOnlyMemory<byte> Written => _buffer.AsMemory(0, _capacity);

    internal void Write(byte[] data, int count)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        Array.Copy(data, 0, _buffer!, 0, count);
        Clear(_buffer!);
        Span<byte> span = _buffer;
        span.Reverse();
    }

    internal void Read(Stream source)
    {
        byte[]? buffer = _buffer;
        if (buffer is not null)
        {
            source.ReadExactly(buffer, 0, 10);
        }
    }

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _buffer = null;
        }
    }

    private static void Clear(byte[] buffer) => buffer[0] = 0;
}

/// <summary>The array before is returned when the writer grows, but not the last one.</summary>
internal sealed class UnreturnedWriter : IDisposable
{
    private byte[] _buffer;
    private int _count;

    internal UnreturnedWriter(int length) => _buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011

    internal Span<byte> GetSpan(int length)
    {
        if (_buffer.Length - _count < length)
        {
            byte[] old = _buffer;
            _buffer = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
            old.AsSpan(0, _count).CopyTo(_buffer);
            ArrayPool<byte>.Shared.Return(old);
        }

        return _buffer.AsSpan(_count);
    }

    public void Dispose() => _count = 0;
}

/// <summary>An own method rents, and a local variable has the array first.</summary>
internal sealed class UnreturnedByHelper : IDisposable
{
    private readonly byte[] _first;
    private readonly byte[] _second = ArrayPool<byte>.Shared.Rent(10); // expect TARN011
    private readonly IMemoryOwner<byte> _owner = MemoryPool<byte>.Shared.Rent(10); // expect TARN011

    internal UnreturnedByHelper()
    {
        byte[] made = Make(); // expect TARN011
        made[0] = 1;
        _first = made;
    }

    internal int Sum() => _first[0] + _second[0] + _owner.Memory.Length;

    public void Dispose() => GC.SuppressFinalize(this);

    private static byte[] Make() => ArrayPool<byte>.Shared.Rent(20);
}

internal ref struct UnreturnedBuilder
{
    private readonly char[] _buffer;

    internal UnreturnedBuilder(int length) => _buffer = ArrayPool<char>.Shared.Rent(length); // expect TARN011

    internal readonly Span<char> Span => _buffer;

    public readonly void Dispose() => _buffer[0] = '0';
}

/// <summary>Another method returns the array without a new one: whoever uses the type may call it.</summary>
internal sealed class ReturnedByReset : IDisposable
{
    private byte[]? _buffer;

    internal void Begin() => _buffer = ArrayPool<byte>.Shared.Rent(100);

    internal void Reset()
    {
        if (_buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }

    public void Dispose() => GC.SuppressFinalize(this);
}

/// <summary>Other code receives the array, or may.</summary>
internal sealed class ReturnedElsewhere : IDisposable
{
    private readonly List<byte[]> _all = [];
    private byte[]? _taken;
    private byte[]? _exchanged;
    private byte[]? _added;
    private byte[]? _captured;
    private byte[]? _passed;
    private byte[]? _segment;

    internal void Begin()
    {
        _taken = ArrayPool<byte>.Shared.Rent(100);
        _exchanged = ArrayPool<byte>.Shared.Rent(100);
        _added = ArrayPool<byte>.Shared.Rent(100);
        _captured = ArrayPool<byte>.Shared.Rent(100);
        _passed = ArrayPool<byte>.Shared.Rent(100);
        _segment = ArrayPool<byte>.Shared.Rent(100);
    }

    internal byte[]? Take()
    {
        byte[]? taken = _taken;
        _taken = null;
        return taken;
    }

    internal void Add() => _all.Add(_added!);

    internal Action Later() => () => ArrayPool<byte>.Shared.Return(_captured!);

    internal void Pass(Action<byte[]> use) => use(_passed!);

    internal ArraySegment<byte> Segment() => new(_segment!, 0, 10);

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _exchanged, null) is { } exchanged)
        {
            ArrayPool<byte>.Shared.Return(exchanged);
        }

        foreach (byte[] one in _all)
        {
            ArrayPool<byte>.Shared.Return(one);
        }

        _all.Clear();
    }
}

/// <summary>A nested type returns the array.</summary>
internal sealed class ReturnedByNested : IDisposable
{
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(100);

    public void Dispose() => Closer.Close(this);

    private static class Closer
    {
        internal static void Close(ReturnedByNested owner)
        {
            ArrayPool<byte>.Shared.Return(owner._buffer);
            owner._buffer = [];
        }
    }
}

/// <summary>The array is the local variable's too, which returns it.</summary>
internal sealed class ReturnedByLocal : IDisposable
{
    private byte[]? _current;

    internal void Run(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        _current = buffer;
        Fill(source);
        _current = null;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    public void Dispose() => _current = null;

    private void Fill(Stream source) => source.ReadExactly(_current!, 0, 10);
}
