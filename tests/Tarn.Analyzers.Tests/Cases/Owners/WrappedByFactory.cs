using System;
using System.Buffers;

/// <summary>Types around a renting object of the source that they get as an argument, as factories do.</summary>
internal static class WrappedByFactory
{
    internal static void LostStruct()
    {
        Builder builder = Builder.Rent(); // expect TARN011
        builder.Add(1);
    }

    internal static void LostClass()
    {
        Boxed boxed = Boxed.Rent(); // expect TARN011
        boxed.Add(1);
    }

    internal static void LostWithoutFactory()
    {
        Boxed boxed = new(new Writer()); // expect TARN011
        boxed.Add(1);
    }

    internal static void LostTwoSteps()
    {
        Boxed boxed = Boxed.RentAgain(); // expect TARN011
        boxed.Add(1);
    }

    internal static void LostOfOneName()
    {
        Named named = Named.Rent(); // expect TARN011
        named.Add(1);
    }

    internal static void KnownToOthersOfOneName()
    {
        NamedAndShown named = new(new Writer());
        named.Add(1);
    }

    internal static void Disposed()
    {
        Builder builder = Builder.Rent();
        builder.Add(1);
        builder.Dispose();
    }

    internal static void Used()
    {
        using Builder builder = Builder.Rent();
        builder.Add(1);
    }

    internal static void UsedClass()
    {
        using Boxed boxed = Boxed.Rent();
        boxed.Add(1);
    }

    internal static Builder HandedOut() => Builder.Rent();

    internal static void Shared(Writer writer)
    {
        Boxed boxed = new(writer);
        boxed.Add(1);
    }

    internal static void SharedByFactory()
    {
        Boxed boxed = Boxed.Over(s_shared);
        boxed.Add(1);
    }

    internal static int Finished()
    {
        Finishing builder = Finishing.Rent();
        builder.Add(1);
        return builder.Finish();
    }

    internal static void Detached()
    {
        Detachable detachable = Detachable.Rent();
        detachable.Detach().Dispose();
    }

    internal static void KnownToOthers()
    {
        Registered registered = new(new Writer());
        registered.Add(1);
    }

    internal static void KnownToOthersLater()
    {
        RegisteredLater registered = new(new Writer());
        registered.Add(1);
    }

    internal static void KnownItself()
    {
        Tracked tracked = new(new Writer());
        tracked.Add(1);
    }

    internal static void Borrowed()
    {
        Borrowing borrowing = new(new Writer());
        borrowing.Add(1);
    }

    private static Writer s_shared = new();

    internal sealed class Writer : IDisposable
    {
        private byte[]? _array = ArrayPool<byte>.Shared.Rent(8);

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

    internal ref struct Builder
    {
        private Writer? _writer;

        private Builder(Writer writer) => _writer = writer;

        internal static Builder Rent() => new(new Writer());

        internal readonly void Add(byte value) => _writer!.Add(value);

        public void Dispose()
        {
            Writer? writer = _writer;
            _writer = null;
            writer?.Dispose();
        }
    }

    /// <summary>The field has the name of the constructor's parameter.</summary>
    internal ref struct Named
    {
        private Writer? writer;

        private Named(Writer writer) => this.writer = writer;

        internal static Named Rent() => new(new Writer());

        internal readonly void Add(byte value) => writer!.Add(value);

        public void Dispose()
        {
            Writer? last = writer;
            writer = null;
            last?.Dispose();
        }
    }

    internal sealed class NamedAndShown : IDisposable
    {
        private readonly Writer writer;

        internal NamedAndShown(Writer writer)
        {
            this.writer = writer;
            s_shared = this.writer;
        }

        internal void Add(byte value) => writer.Add(value);

        public void Dispose() => writer.Dispose();
    }

    internal sealed class Boxed(Writer writer) : IDisposable
    {
        private readonly Writer _writer = writer;

        internal static Boxed Rent() => new(new Writer());

        internal static Boxed RentAgain() => Rent();

        internal static Boxed Over(Writer shared) => new(shared);

        internal void Add(byte value) => _writer.Add(value);

        public void Dispose() => _writer.Dispose();
    }

    internal ref struct Finishing
    {
        private readonly Writer _writer;

        private Finishing(Writer writer) => _writer = writer;

        internal static Finishing Rent() => new(new Writer());

        internal readonly void Add(byte value) => _writer.Add(value);

        internal readonly int Finish()
        {
            _writer?.Dispose();
            return 1;
        }

        public readonly void Dispose() => _writer.Dispose();
    }

    internal sealed class Detachable : IDisposable
    {
        private readonly Writer _writer;

        private Detachable(Writer writer) => _writer = writer;

        internal static Detachable Rent() => new(new Writer());

        internal Writer Detach() => _writer;

        public void Dispose() => _writer.Dispose();
    }

    internal sealed class Registered : IDisposable
    {
        private static readonly System.Collections.Generic.List<Writer> s_all = [];

        private readonly Writer _writer;

        internal Registered(Writer writer)
        {
            _writer = writer;
            s_all.Add(writer);
        }

        internal void Add(byte value) => _writer.Add(value);

        public void Dispose() => _writer.Dispose();
    }

    internal sealed class RegisteredLater : IDisposable
    {
        private static readonly System.Collections.Generic.List<Writer> s_all = [];

        private readonly Writer _writer;

        internal RegisteredLater(Writer writer)
        {
            _writer = writer;
            s_all.Add(_writer);
        }

        internal void Add(byte value) => _writer.Add(value);

        public void Dispose() => _writer.Dispose();
    }

    internal sealed class Tracked : IDisposable
    {
        private static readonly System.Collections.Generic.List<IDisposable> s_all = [];

        private readonly Writer _writer;

        internal Tracked(Writer writer)
        {
            _writer = writer;
            s_all.Add(this);
        }

        internal void Add(byte value) => _writer.Add(value);

        public void Dispose() => _writer.Dispose();
    }

    internal ref struct Borrowing
    {
        private readonly Writer _writer;

        internal Borrowing(Writer writer) => _writer = writer;

        internal readonly void Add(byte value) => _writer.Add(value);

        public readonly void Dispose()
        {
        }
    }
}
