using System;
using System.Buffers;

/// <summary>Only a span of the rented array is kept: it does not lead back to the array.</summary>
internal ref struct SpansOnly
{
    private char[]? _array;
    private Span<char> _span;

    internal void Grow(int length)
    {
        Span<char> larger = ArrayPool<char>.Shared.Rent(length); // expect TARN011
        _span.CopyTo(larger);
        if (_array is not null)
        {
            ArrayPool<char>.Shared.Return(_array);
        }

        _span = larger;
    }

    internal void GrowAndKeep(int length)
    {
        char[] larger = ArrayPool<char>.Shared.Rent(length);
        _span.CopyTo(larger);
        char[]? old = _array;
        _span = _array = larger;
        if (old is not null)
        {
            ArrayPool<char>.Shared.Return(old);
        }
    }

    internal void Begin(int length) => _span = ArrayPool<char>.Shared.Rent(length).AsSpan(0, length); // expect TARN011

    internal void BeginAndKeep(int length) => _span = (_array = ArrayPool<char>.Shared.Rent(length)).AsSpan(0, length);

    internal static void Lend(int length) => Fill(new Span<char>(ArrayPool<char>.Shared.Rent(length), 0, length)); // expect TARN011

    internal static Memory<char> OfOwner(int length) => MemoryPool<char>.Shared.Rent(length).Memory; // expect TARN011

    internal static Memory<char> OfKeptOwner(int length, out IMemoryOwner<char> owner) =>
        (owner = MemoryPool<char>.Shared.Rent(length)).Memory;

    internal static Memory<char> OfArray(int length) => ArrayPool<char>.Shared.Rent(length).AsMemory(0, length);

    internal static ReadOnlySpan<char> OfLocal(int length)
    {
        char[] array = ArrayPool<char>.Shared.Rent(length); // expect TARN011
        array[0] = 'a';
        return array.AsSpan(0, length);
    }

    internal static ReadOnlyMemory<char> OfLocalOwner(int length)
    {
        IMemoryOwner<char> owner = MemoryPool<char>.Shared.Rent(length); // expect TARN011
        owner.Memory.Span[0] = 'a';
        return owner.Memory[..length];
    }

    internal static ReadOnlySpan<char> OfGivenLocal(int length, out char[] rented)
    {
        char[] array = ArrayPool<char>.Shared.Rent(length);
        rented = array;
        return array.AsSpan(0, length);
    }

    internal static Memory<char> OfLocalArray(int length)
    {
        char[] array = ArrayPool<char>.Shared.Rent(length);
        array[0] = 'a';
        return array.AsMemory(0, length);
    }

    internal ReadOnlySpan<char> OfKeptLocal(int length)
    {
        char[] array = ArrayPool<char>.Shared.Rent(length);
        _array = array;
        return array.AsSpan(0, length);
    }

    private static void Fill(Span<char> span) => span.Fill(' ');
}
