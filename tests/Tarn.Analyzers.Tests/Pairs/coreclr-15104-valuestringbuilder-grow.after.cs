// dotnet/coreclr#15104 (ValueStringBuilder.Grow).
// After the field had been set to the larger array, the field rather than the old array was returned: the builder went
// on writing into an array of the pool, and the old one was lost. The fix returns the local that keeps the old array.
using System;
using System.Buffers;

internal ref struct TextBuilder
{
    private char[]? _arrayToReturn;
    private Span<char> _chars;
    private int _position;

    internal TextBuilder(Span<char> initial)
    {
        _arrayToReturn = null;
        _chars = initial;
        _position = 0;
    }

    internal void Append(char value)
    {
        if (_position == _chars.Length)
        {
            Grow(1);
        }

        _chars[_position++] = value;
    }

    public override string ToString()
    {
        string text = new(_chars.Slice(0, _position));
        Dispose();
        return text;
    }

    internal void Dispose()
    {
        char[]? toReturn = _arrayToReturn;
        this = default;
        if (toReturn != null)
        {
            ArrayPool<char>.Shared.Return(toReturn);
        }
    }

    private void Grow(int additional)
    {
        char[] poolArray = ArrayPool<char>.Shared.Rent(Math.Max(_position + additional, _chars.Length * 2));
        _chars.CopyTo(poolArray);

        char[]? toReturn = _arrayToReturn;
        _chars = _arrayToReturn = poolArray;
        if (toReturn != null)
        {
            ArrayPool<char>.Shared.Return(toReturn);
        }
    }
}
