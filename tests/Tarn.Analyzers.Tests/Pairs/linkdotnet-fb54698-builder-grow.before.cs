// linkdotnet/StringBuilder, commit fb54698 (the same lines in linkdotnet/BlogExamples#3): growing kept the new array as the buffer
// and returned that very array. The fix keeps it in a field and returns the one it replaces.
using System;
using System.Buffers;

internal ref struct TextBuilder
{
    private int _position;
    private Span<char> _buffer;

    public TextBuilder(Span<char> initial)
    {
        _position = 0;
        _buffer = initial;
    }

    public void Append(char c)
    {
        if (_position >= _buffer.Length)
        {
            Grow();
        }

        _buffer[_position++] = c;
    }

    public override string ToString() => new(_buffer[.._position]);

    private void Grow(int capacity = 0)
    {
        var currentSize = _buffer.Length;
        var newSize = capacity > 0 ? capacity : currentSize * 2;
        var rented = ArrayPool<char>.Shared.Rent(newSize);
        _buffer.CopyTo(rented);
        _buffer = rented; // expect TARN003
        ArrayPool<char>.Shared.Return(rented);
    }
}
