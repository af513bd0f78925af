using System;
using System.Buffers;

/// <summary>Fields of which every array is new, and that go to a pool.</summary>
internal static class Allocated
{
    internal sealed class Always : IDisposable
    {
        private byte[]? _bytes;

        internal int First => _bytes![0];

        internal void Load(int length) => _bytes = new byte[length];

        internal void Copy(ReadOnlySpan<byte> bytes) => _bytes = bytes.ToArray();

        public void Dispose()
        {
            byte[]? bytes = _bytes;
            _bytes = null;
            if (bytes is not null)
            {
                ArrayPool<byte>.Shared.Return(bytes); // expect TARN008
            }
        }
    }

    internal sealed class AsProperty(int length) : IDisposable
    {
        internal byte[]? Bytes { get; private set; } = new byte[length];

        internal void Load(int more) => Bytes = new byte[more];

        public void Dispose()
        {
            if (Bytes is not null)
            {
                ArrayPool<byte>.Shared.Return(Bytes); // expect TARN008
                Bytes = null;
            }
        }
    }

    internal sealed class Sometimes : IDisposable
    {
        private byte[] _bytes = new byte[16];

        internal int First => _bytes[0];

        internal void Grow(int length) => _bytes = ArrayPool<byte>.Shared.Rent(length);

        public void Dispose()
        {
            byte[] bytes = _bytes;
            _bytes = [];
            if (bytes.Length > 16)
            {
                ArrayPool<byte>.Shared.Return(bytes);
            }
        }
    }

    internal sealed class Given(byte[] first) : IDisposable
    {
        private byte[] _bytes = first;

        internal int First => _bytes[0];

        internal void Load(int length) => _bytes = new byte[length];

        public void Dispose()
        {
            byte[] bytes = _bytes;
            _bytes = [];
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    internal sealed class ByReference : IDisposable
    {
        private byte[]? _bytes;

        internal void Load(int length)
        {
            _bytes = new byte[length];
            Replace(ref _bytes);
        }

        public void Dispose()
        {
            byte[]? bytes = _bytes;
            _bytes = null;
            if (bytes is not null)
            {
                ArrayPool<byte>.Shared.Return(bytes);
            }
        }

        private static void Replace(ref byte[] bytes) => bytes = ArrayPool<byte>.Shared.Rent(bytes.Length);
    }
}
