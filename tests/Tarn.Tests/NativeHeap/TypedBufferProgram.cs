using System.Buffers;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// A random program over typed buffers of one heap, checked against a model that knows the length, the alignment and the bytes of each.
/// </summary>
internal sealed unsafe class TypedBufferProgram : IDisposable
{
    private const int MostBuffers = 30;

    private readonly Random _random;
    private readonly NativeHeap _heap;
    private readonly List<Slot> _slots = [];

    internal TypedBufferProgram(int seed, BufferChecks checks)
    {
        _random = new Random(seed);
        _heap = new NativeHeap(new NativeHeapOptions { Checks = checks, MaxRetainedBytes = 64 << 20 });
    }

    public void Dispose() => _heap.Dispose();

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            Step();
            if (step % 50 == 0)
            {
                _slots.ForEach(static slot => slot.Verify());
            }
        }

        while (_slots.Count > 0)
        {
            Remove(_slots.Count - 1);
        }

        Assert.Equal((0, 0), (_heap.GetStatistics().InUseBlocks, _heap.GetStatistics().InUseBytes));
    }

    private void Step()
    {
        int at = _random.Next(Math.Max(1, _slots.Count));
        switch (_random.Next(_slots.Count == MostBuffers ? 70 : 100))
        {
            case < 30 when _slots.Count > 0:
                _slots[at].Resize(AnyLength());
                break;
            case < 40 when _slots.Count > 0:
                _slots[at].Pin();
                break;
            case < 55 when _slots.Count > 0:
                _slots[at].Unpin();
                break;
            case < 70 when _slots.Count > 0:
                Remove(at);
                break;
            case < 78:
                Add<byte>();
                break;
            case < 86:
                Add<long>();
                break;
            case < 93:
                Add<(int, short)>();
                break;
            default:
                Add<Vector512<float>>();
                break;
        }
    }

    private void Add<T>()
        where T : unmanaged
    {
        NativeBufferOptions options = new()
        {
            Alignment = 1 << _random.Next(13),
            Zeroed = _random.Next(2) == 0,
            HugePages = _random.Next(50) == 0,
        };
        _slots.Add(new Slot<T>(_random, _heap.AllocateBuffer<T>(AnyLength(), options), options));
    }

    private void Remove(int at)
    {
        _slots[at].End();
        _slots.RemoveAt(at);
    }

    private int AnyLength() => _random.Next(20) switch
    {
        0 => 0,
        < 10 => _random.Next(1, 100),
        < 18 => _random.Next(1, 3000),
        _ => _random.Next(1, 40_000),
    };

    private abstract class Slot
    {
        internal abstract void Verify();

        internal abstract void Resize(int length);

        internal abstract void Pin();

        internal abstract void Unpin();

        internal abstract void End();
    }

    private sealed class Slot<T> : Slot
        where T : unmanaged
    {
        private readonly Random _random;
        private readonly NativeBuffer<T> _buffer;
        private readonly NativeBufferOptions _options;
        private readonly Stack<MemoryHandle> _pins = new();
        private byte[] _expected = [];

        internal Slot(Random random, NativeBuffer<T> buffer, NativeBufferOptions options)
        {
            _random = random;
            _buffer = buffer;
            _options = options;
            Fill((int)buffer.Length);
        }

        internal override void Verify()
        {
            Assert.True(_expected.AsSpan().SequenceEqual(MemoryMarshal.AsBytes(_buffer.Span)));
            Assert.Equal(0u, (nuint)_buffer.Pointer % (_options.HugePages ? 2u << 20 : (uint)_options.Alignment));
        }

        internal override void Resize(int length)
        {
            bool isResized = _buffer.TryResize(length);
            Assert.Equal(_pins.Count == 0, isResized);
            if (isResized)
            {
                Fill(length);
            }
            else
            {
                Verify();
            }
        }

        internal override void Pin()
        {
            int at = _random.Next(_buffer.Span.Length + 1);
            MemoryHandle pin = _random.Next(2) == 0 ? _buffer.Pin(at) : _buffer.Memory[at..].Pin();
            Assert.Equal((nint)(_buffer.Pointer + at), (nint)pin.Pointer);
            _pins.Push(pin);
        }

        internal override void Unpin()
        {
            if (_pins.TryPop(out MemoryHandle pin))
            {
                pin.Dispose();
            }
        }

        /// <summary>Disposes the buffer. What is pinned keeps its bytes until the last unpin.</summary>
        internal override void End()
        {
            byte* first = (byte*)_buffer.Pointer;
            Verify();
            _buffer.Dispose();
            Assert.Throws<ObjectDisposedException>(() => _buffer.Length);
            while (_pins.Count > 0)
            {
                Assert.True(_expected.AsSpan().SequenceEqual(new ReadOnlySpan<byte>(first, _expected.Length)));
                Unpin();
            }
        }

        /// <summary>Verifies what was there and what a resize added, then writes all of it.</summary>
        private void Fill(int length)
        {
            Span<byte> bytes = MemoryMarshal.AsBytes(_buffer.Span);
            Assert.Equal(((long)length, length * sizeof(T)), (_buffer.Length, bytes.Length));
            int kept = Math.Min(_expected.Length, bytes.Length);
            Assert.True(_expected.AsSpan(0, kept).SequenceEqual(bytes[..kept]));
            Assert.True(!_options.Zeroed || bytes[kept..].IndexOfAnyExcept((byte)0) < 0);
            _random.NextBytes(bytes);
            _expected = bytes.ToArray();
        }
    }
}
