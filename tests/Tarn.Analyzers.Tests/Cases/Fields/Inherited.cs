using System;
using System.Buffers;

/// <summary>Fields of base classes from which the Dispose of a derived class returns the array.</summary>
internal static class Inherited
{
    internal abstract class Holder : IDisposable
    {
        protected byte[] _bytes = ArrayPool<byte>.Shared.Rent(10);

        public abstract void Dispose();
    }

    internal sealed class Again : Holder
    {
        public override void Dispose() => ArrayPool<byte>.Shared.Return(_bytes); // expect TARN005
    }

    internal sealed class Once : Holder
    {
        public override void Dispose()
        {
            byte[] bytes = _bytes;
            _bytes = [];
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    internal abstract class Taker : IDisposable
    {
        protected byte[]? _bytes = ArrayPool<byte>.Shared.Rent(10);

        public abstract void Dispose();

        protected void Forget() => _bytes = null;
    }

    internal sealed class TakenByBase : Taker
    {
        public override void Dispose()
        {
            if (_bytes is not null)
            {
                ArrayPool<byte>.Shared.Return(_bytes);
                Forget();
            }
        }
    }
}
