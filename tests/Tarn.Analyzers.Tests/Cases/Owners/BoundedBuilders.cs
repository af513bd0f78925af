using System;
using System.Buffers;

/// <summary>Builders whose constructor decides whether they may rent.</summary>
internal static class BoundedBuilders
{
    internal static int Bounded()
    {
        Writer writer = new(stackalloc byte[4]);
        writer.Write(1);
        return writer.Written.Length;
    }

    internal static int BoundedExplicitly()
    {
        Writer writer = new(stackalloc byte[4], resize: false);
        writer.Write(1);
        return writer.Written.Length;
    }

    internal static int Growing()
    {
        Writer writer = new(stackalloc byte[4], true); // expect TARN011
        writer.Write(1);
        return writer.Written.Length;
    }

    internal static int Decided(bool mayGrow)
    {
        Writer writer = new(stackalloc byte[4], mayGrow);
        writer.Write(1);
        return writer.Written.Length;
    }

    internal static int GrowingAndDisposed()
    {
        Writer writer = new(stackalloc byte[4], true);
        writer.Write(1);
        int written = writer.Written.Length;
        writer.Dispose();
        return written;
    }

    internal static int Fixed()
    {
        Opposite writer = new(stackalloc byte[4], isFixed: true);
        writer.Write(1);
        return writer.Written;
    }

    internal static int NotFixed()
    {
        Opposite writer = new(stackalloc byte[4], isFixed: false); // expect TARN011
        writer.Write(1);
        return writer.Written;
    }

    internal static int WithoutPool()
    {
        Pooled writer = new(stackalloc byte[4], null);
        writer.Write(1);
        return writer.Written;
    }

    internal static int WithPool()
    {
        Pooled writer = new(stackalloc byte[4], ArrayPool<byte>.Shared); // expect TARN011
        writer.Write(1);
        return writer.Written;
    }

    internal static int Allocated(int length)
    {
        Holder holder = new(length, isPooled: false);
        return holder.First;
    }

    internal static int Rented(int length)
    {
        Holder holder = new(length, isPooled: true); // expect TARN011
        return holder.First;
    }

    private ref struct Writer
    {
        private readonly bool _resize;
        private Span<byte> _buffer;
        private byte[]? _rented;
        private int _position;

        internal Writer(Span<byte> initial, bool resize = false)
        {
            _buffer = initial;
            _rented = null;
            _resize = resize;
            _position = 0;
        }

        internal Span<byte> Written => _buffer[.._position];

        internal void Write(byte value)
        {
            GrowIfNeeded(1);
            _buffer[_position++] = value;
        }

        internal void Dispose()
        {
            byte[]? rented = _rented;
            this = default;
            if (rented != null)
            {
                ArrayPool<byte>.Shared.Return(rented);
            }
        }

        private void GrowIfNeeded(int count)
        {
            if (_position + count > _buffer.Length)
            {
                if (!_resize)
                {
                    throw new InvalidOperationException();
                }

                Grow();
            }
        }

        private void Grow()
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
            _buffer[.._position].CopyTo(larger);
            byte[]? old = _rented;
            _buffer = _rented = larger;
            if (old != null)
            {
                ArrayPool<byte>.Shared.Return(old);
            }
        }
    }

    private ref struct Opposite
    {
        private readonly bool _isFixed;
        private Span<byte> _buffer;
        private byte[]? _rented;

        internal Opposite(Span<byte> initial, bool isFixed)
        {
            _buffer = initial;
            _isFixed = isFixed;
        }

        internal int Written { get; private set; }

        internal void Write(byte value)
        {
            if (Written == _buffer.Length && !_isFixed)
            {
                Grow();
            }

            _buffer[Written++] = value;
        }

        internal void Dispose()
        {
            if (_rented != null)
            {
                ArrayPool<byte>.Shared.Return(_rented);
                _rented = null;
            }
        }

        private void Grow()
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
            _buffer.CopyTo(larger);
            Dispose();
            _buffer = _rented = larger;
        }
    }

    private ref struct Pooled
    {
        private readonly ArrayPool<byte>? _pool;
        private Span<byte> _buffer;
        private byte[]? _rented;

        internal Pooled(Span<byte> initial, ArrayPool<byte>? pool)
        {
            _buffer = initial;
            _pool = pool;
        }

        internal int Written { get; private set; }

        internal void Write(byte value)
        {
            if (Written == _buffer.Length)
            {
                if (_pool is null)
                {
                    throw new InvalidOperationException();
                }

                byte[] larger = _pool.Rent(_buffer.Length * 2);
                _buffer.CopyTo(larger);
                Dispose();
                _buffer = _rented = larger;
            }

            _buffer[Written++] = value;
        }

        internal void Dispose()
        {
            if (_rented != null)
            {
                _pool!.Return(_rented);
                _rented = null;
            }
        }
    }

    private sealed class Holder : IDisposable
    {
        private readonly bool _isPooled;
        private byte[]? _buffer;

        internal Holder(int length, bool isPooled)
        {
            _isPooled = isPooled;
            _buffer = isPooled ? ArrayPool<byte>.Shared.Rent(length) : new byte[length];
        }

        internal byte First => _buffer![0];

        public void Dispose()
        {
            byte[]? buffer = _buffer;
            _buffer = null;
            if (_isPooled && buffer != null)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }
}
