using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner that <see cref="BufferPool{T}.LeaseMemory"/> gives out: one lease, never reused.</summary>
/// <remarks>
/// <see cref="_pins"/> counts pins, plus one while the lease is not disposed; the buffer goes back when it reaches zero, so that native
/// code that still writes through a pin writes into nobody else's buffer.
/// </remarks>
internal sealed class LeasedMemory<T> : MemoryManager<T>
{
    private readonly BufferPool<T> _pool;
    private readonly int _length;

    /// <summary>What goes back; reachable for users only while <see cref="_isDisposed"/> is 0.</summary>
    private readonly T[] _array;
    private int _isDisposed;
    private int _pins = 1;

    internal LeasedMemory(BufferPool<T> pool, T[] array, int length)
    {
        _pool = pool;
        _array = array;
        _length = length;
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public override Memory<T> Memory
    {
        get
        {
            _ = GetArray();
            return CreateMemory(_length);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public override Span<T> GetSpan() => GetArray().AsSpan(0, _length);

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> lies outside the buffer.</exception>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        T[] array = GetArray();
        if ((uint)elementIndex > (uint)_length)
        {
            throw new ArgumentOutOfRangeException(nameof(elementIndex), elementIndex, $"The buffer has {_length} elements.");
        }

        GCHandle handle = GCHandle.Alloc(array, GCHandleType.Pinned);
        if (!TryAddPin())
        {
            handle.Free();
            Throw.LeaseDisposed();
        }

        void* pointer = Unsafe.AsPointer(
            ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), elementIndex));
        return new MemoryHandle(pointer, handle, this);
    }

    /// <inheritdoc/>
    public override void Unpin() => Release();

    /// <inheritdoc/>
    protected override bool TryGetArray(out ArraySegment<T> segment)
    {
        segment = new ArraySegment<T>(GetArray(), 0, _length);
        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            Release();
        }
    }

    private T[] GetArray()
    {
        if (Volatile.Read(ref _isDisposed) != 0)
        {
            Throw.LeaseDisposed();
        }

        return _array;
    }

    private bool TryAddPin()
    {
        int pins = Volatile.Read(ref _pins);
        while (pins > 0)
        {
            int seen = Interlocked.CompareExchange(ref _pins, pins + 1, pins);
            if (seen == pins)
            {
                return true;
            }

            pins = seen;
        }

        return false;
    }

    private void Release()
    {
        if (Interlocked.Decrement(ref _pins) == 0)
        {
            _pool.Return(_array);
        }
    }
}
