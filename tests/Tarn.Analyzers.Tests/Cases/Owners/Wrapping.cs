using System;
using System.Buffers;

/// <summary>Types around an object of the source whose constructor rents.</summary>
internal static class Wrapping
{
    internal static void LostObject()
    {
        Outer outer = new(); // expect TARN011
        outer.Add(1);
    }

    internal static void LostOuter()
    {
        Outermost outer = new(); // expect TARN011
        outer.Add(1);
    }

    internal static void DisposedOuter()
    {
        using Outermost outer = new();
        outer.Add(1);
    }

    internal static void Shared(Writer writer)
    {
        Borrowing outer = new(writer);
        outer.Add(1);
    }

    internal static Outer HandedOut() => new();

    internal static void Closed()
    {
        Closable outer = new();
        outer.Close();
    }

    internal static void GivenAway(Keeper keeper)
    {
        Outer outer = new();
        keeper.Kept = outer;
    }

    internal sealed class Keeper
    {
        internal Outer? Kept { get; set; }
    }

    internal sealed class Writer : IDisposable
    {
        private byte[]? _array;

        internal Writer() => _array = ArrayPool<byte>.Shared.Rent(8);

        internal void Add(byte value) => _array![0] = value;

        public void Dispose()
        {
            byte[]? array = _array;
            _array = null;
            if (array != null)
            {
                ArrayPool<byte>.Shared.Return(array);
            }
        }
    }

    internal sealed class Outer : IDisposable
    {
        private readonly Writer _writer = new();

        internal void Add(byte value) => _writer.Add(value);

        public void Dispose() => _writer.Dispose();
    }

    internal sealed class Outermost : IDisposable
    {
        private readonly Outer _outer;

        internal Outermost() => _outer = new Outer();

        internal void Add(byte value) => _outer.Add(value);

        public void Dispose() => _outer.Dispose();
    }

    internal sealed class Closable : IDisposable
    {
        private readonly Writer _writer = new();

        internal void Close() => _writer.Dispose();

        public void Dispose() => _writer.Dispose();
    }

    internal sealed class Borrowing(Writer writer) : IDisposable
    {
        internal void Add(byte value) => writer.Add(value);

        public void Dispose()
        {
        }
    }
}
