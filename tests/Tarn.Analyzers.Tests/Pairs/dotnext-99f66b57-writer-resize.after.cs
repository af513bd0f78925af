// dotnet/dotNext, commit 99f66b57c "Fixed cleanup of pooled array on resize" (PooledArrayBufferWriter).
// A buffer writer of any element type returned its arrays without clearing them, also when the elements are references.
// The fix asks for clearing where the element type needs it.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

internal sealed class ReferenceWriter : IDisposable
{
    private readonly ArrayPool<string> _pool;
    private string[] _buffer = Array.Empty<string>();
    private int _position;

    internal ReferenceWriter(ArrayPool<string> pool) => _pool = pool;

    internal void Add(string value)
    {
        if (_position == _buffer.Length)
        {
            Resize(Math.Max(16, _position * 2));
        }

        _buffer[_position++] = value;
    }

    public void Dispose()
    {
        if (_buffer.Length > 0)
        {
            _pool.Return(_buffer, RuntimeHelpers.IsReferenceOrContainsReferences<string>());
        }

        _buffer = Array.Empty<string>();
    }

    private void Resize(int newSize)
    {
        string[] larger = _pool.Rent(newSize);
        _buffer.CopyTo(larger, 0);
        if (_buffer.Length > 0)
        {
            _pool.Return(_buffer, RuntimeHelpers.IsReferenceOrContainsReferences<string>());
        }

        _buffer = larger;
    }
}
