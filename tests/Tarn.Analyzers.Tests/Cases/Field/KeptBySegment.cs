using System.Buffers;
using System.Collections.Generic;

// A field's array that an object was made of lives on in that object.
internal sealed class KeptBySegment
{
    private readonly List<Completed> _completed = [];
    private byte[]? _current;
    private int _position;

    internal void Add(int count)
    {
        if (_current != null)
        {
            _completed.Add(new Completed(_current, _position));
        }

        _current = ArrayPool<byte>.Shared.Rent(count);
        _position = 0;
    }

    internal void Reset()
    {
        foreach (Completed completed in _completed)
        {
            completed.Return();
        }

        if (_current != null)
        {
            ArrayPool<byte>.Shared.Return(_current);
            _current = null;
        }
    }

    private readonly struct Completed(byte[] buffer, int length)
    {
        internal int Length { get; } = length;

        internal void Return() => ArrayPool<byte>.Shared.Return(buffer);
    }
}
