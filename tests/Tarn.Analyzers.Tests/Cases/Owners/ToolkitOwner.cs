using System;
using System.Buffers;
using CommunityToolkit.HighPerformance.Buffers;

sealed class Toolkit
{
    void Right(int n)
    {
        using SpanOwner<byte> owner = SpanOwner<byte>.Allocate(n);
        owner.Span.Clear();
        Read(owner.Span);
    }

    void Wrong(int n)
    {
        SpanOwner<byte> owner = SpanOwner<byte>.Allocate(n); // expect TARN011
        Read(owner.Span);
    }

    static void Read(ReadOnlySpan<byte> bytes)
    {
    }
}

namespace CommunityToolkit.HighPerformance.Buffers
{
    // Stands for the toolkit's: the rule knows it by its name.
    public readonly ref struct SpanOwner<T>
    {
        private readonly T[] _array;

        private SpanOwner(T[] array) => _array = array;

        public static SpanOwner<T> Allocate(int length) => new(ArrayPool<T>.Shared.Rent(length));

        public Span<T> Span => _array;

        public void Dispose() => ArrayPool<T>.Shared.Return(_array);
    }
}
