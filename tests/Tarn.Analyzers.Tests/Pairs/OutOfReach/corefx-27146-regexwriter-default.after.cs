// dotnet/corefx#27146 (RegexWriter).
// The writer, a ref struct of two pooled builders, was made by its default constructor, and its methods appended to the
// empty builders of that value while the ones with memory sat in another. The fix makes the one writer with its memory.
using System;
using System.Buffers;

[AttributeUsage(AttributeTargets.Struct)]
internal sealed class NonCopyableAttribute : Attribute
{
}

[NonCopyable]
internal ref struct IntBuilder
{
    private Span<int> _span;
    private int[]? _fromPool;
    private int _position;

    internal IntBuilder(Span<int> initial)
    {
        _span = initial;
        _fromPool = null;
        _position = 0;
    }

    internal readonly ReadOnlySpan<int> Written => _span.Slice(0, _position);

    internal void Append(int value)
    {
        if (_position >= _span.Length)
        {
            int[] array = ArrayPool<int>.Shared.Rent(Math.Max(4, _span.Length * 2));
            _span.CopyTo(array);
            int[]? toReturn = _fromPool;
            _span = _fromPool = array;
            if (toReturn != null)
            {
                ArrayPool<int>.Shared.Return(toReturn);
            }
        }

        _span[_position++] = value;
    }

    public void Dispose()
    {
        int[]? toReturn = _fromPool;
        this = default;
        if (toReturn != null)
        {
            ArrayPool<int>.Shared.Return(toReturn);
        }
    }
}

internal static class CodeWriter
{
    internal static int[] Write(ReadOnlySpan<int> tree)
    {
        Span<int> initial = stackalloc int[56];
        IntBuilder emitted = new(initial);
        foreach (int node in tree)
        {
            emitted.Append(node);
        }

        int[] code = emitted.Written.ToArray();
        emitted.Dispose();
        return code;
    }
}
