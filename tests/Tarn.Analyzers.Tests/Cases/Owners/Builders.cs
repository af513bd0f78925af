using System;
using System.Buffers;

/// <summary>Structs that begin with memory of their creator, and rent when they need more.</summary>
internal static class Builders
{
    internal static string? LostWhenEmpty(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]); // expect TARN011
        builder.Append(text);
        if (text.IsEmpty)
        {
            return null;
        }

        return builder.ToString();
    }

    internal static int Lost(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]); // expect TARN011
        builder.Append(text);
        return builder.Length;
    }

    internal static string? LostAfterHelper(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]); // expect TARN011
        if (!TryAppend(ref builder, text))
        {
            return null;
        }

        return builder.ToString();
    }

    internal static string? LostAfterRecursion(ReadOnlySpan<char> text)
    {
        Builder builder = new(); // expect TARN011
        AppendEach(ref builder, text);
        if (text.IsEmpty)
        {
            return null;
        }

        return builder.ToString();
    }

    internal static string? LostAfterChain(ReadOnlySpan<char> text)
    {
        Chained builder = new(4); // expect TARN011
        builder.Add(text).Add(text);
        if (text.IsEmpty)
        {
            return null;
        }

        return builder.Add(text).ToString();
    }

    internal static string? NotYetUsed(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        if (text.IsEmpty)
        {
            return null;
        }

        builder.Append(text);
        return builder.ToString();
    }

    internal static string? KnownToBeEmpty(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        foreach (char one in text)
        {
            builder.Append([one]);
        }

        if (builder.Length == 0)
        {
            return null;
        }

        return builder.ToString();
    }

    internal static string? KnownToBeEmptyAsTheOther(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        Builder other = new(stackalloc char[16]);
        foreach (char one in text)
        {
            builder.Append([one]);
            other.Append([one]);
        }

        if (builder.Length == 0)
        {
            return null;
        }

        return builder.ToString() + other.ToString();
    }

    internal static string? KnownToHaveNoMemory(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        foreach (char one in text)
        {
            builder.Append([one]);
        }

        ReadOnlySpan<char> all = builder.AsSpan();
        if (all.IsEmpty)
        {
            return null;
        }

        return builder.ToString();
    }

    internal static string Disposed(ReadOnlySpan<char> text)
    {
        using Builder builder = new(stackalloc char[16]);
        builder.Append(text);
        return text.IsEmpty ? string.Empty : builder.ToString();
    }

    internal static string DisposedInFinally(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        try
        {
            builder.Append(text);
            return text.IsEmpty ? string.Empty : builder.AsSpan().ToString();
        }
        finally
        {
            builder.Dispose();
        }
    }

    internal static bool Copied(ReadOnlySpan<char> text, Span<char> target)
    {
        Builder builder = new(stackalloc char[16]);
        builder.Append(text);
        return builder.TryCopyTo(target);
    }

    internal static Builder HandedOut(ReadOnlySpan<char> text)
    {
        Builder builder = new(100);
        builder.Append(text);
        return builder;
    }

    internal static void EndedByHelper(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        builder.Append(text);
        End(ref builder);
    }

    internal static char[]? Taken(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        builder.Append(text);
        return builder.Take();
    }

    internal static void Thrown(ReadOnlySpan<char> text)
    {
        Builder builder = new(stackalloc char[16]);
        builder.Append(text);
        if (text.IsEmpty)
        {
            throw new ArgumentException("Empty.", nameof(text));
        }

        builder.Dispose();
    }

    internal static string AgainAndAgain(string[] texts)
    {
        Builder builder = new(stackalloc char[16]);
        string last = string.Empty;
        foreach (string text in texts)
        {
            builder.Append(text);
            last = builder.ToString();
        }

        return last;
    }

    internal static int NeverGrows(ReadOnlySpan<char> text)
    {
        Plain plain = new(stackalloc char[16]);
        plain.Add(text[0]);
        return plain.Length;
    }

    private static bool TryAppend(ref Builder builder, ReadOnlySpan<char> text)
    {
        builder.Append(text);
        return builder.Length > 0;
    }

    private static void AppendEach(ref Builder builder, ReadOnlySpan<char> text)
    {
        if (!text.IsEmpty)
        {
            builder.Append(text[..1]);
            AppendEach(ref builder, text[1..]);
        }
    }

    private static void End(ref Builder builder) => builder.Dispose();

    internal ref struct Builder
    {
        private char[]? _rented;
        private Span<char> _chars;

        internal Builder(Span<char> chars) => _chars = chars;

        internal Builder(int capacity)
        {
            _rented = ArrayPool<char>.Shared.Rent(capacity);
            _chars = _rented;
        }

        internal int Length { get; private set; }

        internal void Append(scoped ReadOnlySpan<char> text)
        {
            if (text.Length > _chars.Length - Length)
            {
                Grow(text.Length);
            }

            text.CopyTo(_chars[Length..]);
            Length += text.Length;
        }

        internal readonly ReadOnlySpan<char> AsSpan() => _chars[..Length];

        internal char[]? Take()
        {
            char[]? rented = _rented;
            _rented = null;
            return rented;
        }

        internal bool TryCopyTo(Span<char> target)
        {
            bool isCopied = AsSpan().TryCopyTo(target);
            Dispose();
            return isCopied;
        }

        public override string ToString()
        {
            string text = AsSpan().ToString();
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
            char[] larger = ArrayPool<char>.Shared.Rent(Length + more);
            AsSpan().CopyTo(larger);
            char[]? rented = _rented;
            _chars = _rented = larger;
            if (rented is not null)
            {
                ArrayPool<char>.Shared.Return(rented);
            }
        }
    }

    internal struct Chained(int capacity)
    {
        private char[]? _rented;
        private int _length;

        internal Chained Add(ReadOnlySpan<char> text)
        {
            _rented ??= ArrayPool<char>.Shared.Rent(capacity);
            text.CopyTo(_rented.AsSpan(_length));
            _length += text.Length;
            return this;
        }

        public override string ToString()
        {
            string text = _rented.AsSpan(0, _length).ToString();
            Dispose();
            return text;
        }

        public void Dispose()
        {
            if (_rented is not null)
            {
                ArrayPool<char>.Shared.Return(_rented);
                _rented = null;
            }
        }
    }

    internal ref struct Plain(Span<char> chars)
    {
        private readonly Span<char> _chars = chars;
        private char[]? _rented;

        internal int Length { get; private set; }

        internal void Add(char one) => _chars[Length++] = one;

        public void Dispose()
        {
            if (_rented is not null)
            {
                ArrayPool<char>.Shared.Return(_rented);
                _rented = null;
            }
        }
    }
}
