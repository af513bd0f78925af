using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;

/// <summary>Dispose puts each of these objects into a pool of its own type: the object keeps its array for the next user.</summary>
internal sealed class Enqueued : IDisposable
{
    private static readonly ConcurrentQueue<Enqueued> s_pool = new();
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(9);

    public byte First => _buffer[0];

    public void Grow()
    {
        byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }

    public void Dispose() => s_pool.Enqueue(this);
}

internal sealed class GivenBack(GivenBackPool pool) : IDisposable
{
    private byte[]? _buffer;

    public byte First => (_buffer ??= ArrayPool<byte>.Shared.Rent(9))[0];

    public void Dispose() => pool.Return(this);
}

internal sealed class GivenBackPool
{
    private readonly Stack<GivenBack> _stack = new();

    public GivenBack Take() => _stack.Count > 0 ? _stack.Pop() : new GivenBack(this);

    public void Return(GivenBack one) => _stack.Push(one);

    public static int Use(GivenBackPool pool)
    {
        GivenBack one = pool.Take();
        return one.First;
    }
}

/// <summary>To keep the finalizer away is no such thing.</summary>
internal sealed class Suppressed : IDisposable
{
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(9); // expect TARN011

    public byte First => _buffer[0];

    public void Dispose() => GC.SuppressFinalize(this);
}
