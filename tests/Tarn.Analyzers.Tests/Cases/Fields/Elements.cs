using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;

sealed class Segments : IDisposable
{
    private readonly List<byte[]> _segments = [];

    public void Add() => _segments.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        foreach (byte[] segment in _segments)
        {
            ArrayPool<byte>.Shared.Return(segment); // expect TARN005
        }
    }
}

sealed class Rows(int count) : IDisposable
{
    private readonly char[]?[] _rows = new char[count][];

    public void Add(int row) => _rows[row] = ArrayPool<char>.Shared.Rent(100);

    public void Dispose()
    {
        foreach (char[]? row in _rows)
        {
            if (row is null)
            {
                continue;
            }

            ArrayPool<char>.Shared.Return(row); // expect TARN005
        }
    }
}

sealed class Named : IDisposable
{
    private readonly Dictionary<string, byte[]> _buffers = [];

    public void Add(string name) => _buffers[name] = ArrayPool<byte>.Shared.Rent(4096);

    public void Dispose()
    {
        if (_buffers.Count > 0)
        {
            foreach (byte[] buffer in _buffers.Values)
            {
                ArrayPool<byte>.Shared.Return(buffer); // expect TARN005
            }
        }
    }
}

sealed class Window(int length) : IDisposable
{
    private readonly ArraySegment<byte> _window = new(ArrayPool<byte>.Shared.Rent(length), 0, length);

    public byte First => _window[0];

    public void Dispose() => ArrayPool<byte>.Shared.Return(_window.Array!); // expect TARN005
}

sealed class SegmentsCleared : IDisposable
{
    private readonly List<byte[]> _segments = [];

    public void Add() => _segments.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        foreach (byte[] segment in _segments)
        {
            ArrayPool<byte>.Shared.Return(segment);
        }

        _segments.Clear();
    }
}

sealed class SegmentsGone : IDisposable
{
    private List<byte[]>? _segments = [];

    public void Add() => _segments!.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        if (_segments is null)
        {
            return;
        }

        foreach (byte[] segment in _segments)
        {
            ArrayPool<byte>.Shared.Return(segment);
        }

        _segments = null;
    }
}

sealed class SegmentsTaken : IDisposable
{
    private List<byte[]>? _segments = [];

    public void Add() => _segments!.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        foreach (byte[] segment in Interlocked.Exchange(ref _segments, null) ?? [])
        {
            ArrayPool<byte>.Shared.Return(segment);
        }
    }
}

sealed class SegmentsOnce : IDisposable
{
    private readonly List<byte[]> _segments = [];
    private bool _isDisposed;

    public void Add() => _segments.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        foreach (byte[] segment in _segments)
        {
            if (_isDisposed)
            {
                break;
            }

            ArrayPool<byte>.Shared.Return(segment);
        }

        _isDisposed = true;
    }
}

sealed class SegmentsReset : IDisposable
{
    private readonly List<byte[]> _segments = [];

    public void Add() => _segments.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        foreach (byte[] segment in _segments)
        {
            ArrayPool<byte>.Shared.Return(segment);
        }

        Reset(_segments);
    }

    private static void Reset(List<byte[]> segments) => segments.Clear();
}

sealed class RowsForgotten(int count) : IDisposable
{
    private readonly char[]?[] _rows = new char[count][];

    public void Dispose()
    {
        foreach (char[]? row in _rows)
        {
            if (row is not null)
            {
                ArrayPool<char>.Shared.Return(row);
            }
        }

        for (int i = 0; i < _rows.Length; i++)
        {
            _rows[i] = null;
        }
    }
}

sealed class Drained : IDisposable
{
    private readonly BlockingCollection<byte[]> _ready = [];

    public void Add() => _ready.Add(ArrayPool<byte>.Shared.Rent(4096));

    public void Dispose()
    {
        _ready.CompleteAdding();
        foreach (byte[] buffer in _ready.GetConsumingEnumerable())
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

sealed class Shown(IEnumerable<byte[]> buffers) : IDisposable
{
    private readonly IEnumerable<byte[]> _buffers = buffers;

    public void Dispose()
    {
        foreach (byte[] buffer in _buffers)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
