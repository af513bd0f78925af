// modernuo/ModernUO#1969: resetting a list returned its array and kept it, so that the next reset, growth or disposal returned it again and two
// lists wrote into one array. The fix disposes, which forgets the array.
using System;
using System.Buffers;

internal sealed class PropertyList : IDisposable
{
    private char[]? _arrayToReturn;
    private int _position;
    private int _hash;

    public void Begin(int capacity)
    {
        _arrayToReturn ??= SingleThreadPool<char>.Shared.Rent(capacity);
        _position = 0;
    }

    public void Append(ReadOnlySpan<char> value)
    {
        if (_arrayToReturn!.Length - _position < value.Length)
        {
            Grow(value.Length);
        }

        value.CopyTo(_arrayToReturn.AsSpan(_position..));
        _position += value.Length;
        _hash ^= value.Length;
    }

    public void Reset()
    {
        _hash = 0;
        _position = 0;

        Dispose();
    }

    public void Dispose()
    {
        if (_arrayToReturn != null)
        {
            SingleThreadPool<char>.Shared.Return(_arrayToReturn);
            _arrayToReturn = null;
        }
    }

    private void Grow(int additional)
    {
        char[] newArray = SingleThreadPool<char>.Shared.Rent(Math.Max(_position + additional, _arrayToReturn!.Length * 2));
        _arrayToReturn.AsSpan(.._position).CopyTo(newArray);

        char[] toReturn = _arrayToReturn;
        _arrayToReturn = newArray;

        SingleThreadPool<char>.Shared.Return(toReturn);
    }
}

internal sealed class SingleThreadPool<T> : ArrayPool<T>
{
    private T[]? _last;

    public static new SingleThreadPool<T> Shared { get; } = new();

    public override T[] Rent(int minimumLength)
    {
        T[]? last = _last;
        _last = null;
        return last is not null && last.Length >= minimumLength ? last : new T[minimumLength];
    }

    public override void Return(T[] array, bool clearArray = false) => _last = array;
}
