// aspnet/Mvc#4387 (MemoryPoolViewBufferScope).
// Pages of values that refer to strings and HTML content went back to the pool uncleared, which keeps the content of a
// response alive until the page is used again. The fix clears them.
using System;
using System.Buffers;
using System.Collections.Generic;

internal readonly struct ViewValue
{
    internal ViewValue(object value) => Value = value;

    internal object Value { get; }
}

internal sealed class ViewBufferScope : IDisposable
{
    private const int MinimumSize = 16;

    private readonly ArrayPool<ViewValue> _pool;
    private List<ViewValue[]>? _available;
    private List<ViewValue[]>? _leased;
    private bool _disposed;

    internal ViewBufferScope(ArrayPool<ViewValue> pool) => _pool = pool;

    internal ViewValue[] GetPage(int pageSize)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);

        _leased ??= new List<ViewValue[]>(1);
        if (_available is { Count: > 0 })
        {
            ViewValue[] available = _available[_available.Count - 1];
            _available.RemoveAt(_available.Count - 1);
            return available;
        }

        ViewValue[] page = _pool.Rent(Math.Max(pageSize, MinimumSize));
        _leased.Add(page);
        return page;
    }

    internal void ReturnPage(ViewValue[] page)
    {
        Array.Clear(page, 0, page.Length);
        _available ??= new List<ViewValue[]>();
        _available.Add(page);
    }

    public void Dispose()
    {
        if (!_disposed)
        {
            _disposed = true;
            if (_leased == null)
            {
                return;
            }

            for (int i = 0; i < _leased.Count; i++)
            {
                _pool.Return(_leased[i], clearArray: true);
            }

            _leased.Clear();
        }
    }
}
