// sebastienros/jint a6419328: a builder that had grown kept its array when the value turned out to be undefined. The fix ends it always.
using System;
using System.Buffers;

internal enum Written
{
    Value,
    Undefined,
}

internal sealed class Serializer(int deepest)
{
    internal string? Serialize(object? value)
    {
        string result;
        TextBuilder json = new();
        try
        {
            if (Write(value, 0, ref json) == Written.Undefined)
            {
                return null;
            }
        }
        finally
        {
            result = json.ToString();
        }

        return result;
    }

    private Written Write(object? value, int depth, ref TextBuilder json)
    {
        switch (value)
        {
            case string text:
                json.Append("\"");
                json.Append(text);
                json.Append("\"");
                return Written.Value;
            case object[] items when depth < deepest:
                json.Append("[");
                foreach (object item in items)
                {
                    Write(item, depth + 1, ref json);
                }

                json.Append("]");
                return Written.Value;
            default:
                return Written.Undefined;
        }
    }
}

internal ref struct TextBuilder
{
    private char[]? _rented;
    private Span<char> _chars;
    private int _length;

    internal void Append(ReadOnlySpan<char> text)
    {
        if (_length + text.Length > _chars.Length)
        {
            Grow(text.Length);
        }

        text.CopyTo(_chars[_length..]);
        _length += text.Length;
    }

    public override string ToString()
    {
        string text = _chars[.._length].ToString();
        Dispose();
        return text;
    }

    public void Dispose()
    {
        char[]? rented = _rented;
        this = default;
        if (rented is not null)
        {
            ArrayPool<char>.Shared.Return(rented);
        }
    }

    private void Grow(int more)
    {
        char[] larger = ArrayPool<char>.Shared.Rent(Math.Max(_length + more, _chars.Length * 2));
        _chars[.._length].CopyTo(larger);
        char[]? rented = _rented;
        _chars = _rented = larger;
        if (rented is not null)
        {
            ArrayPool<char>.Shared.Return(rented);
        }
    }
}
