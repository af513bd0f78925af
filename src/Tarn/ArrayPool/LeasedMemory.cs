using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner that <see cref="BufferPool{T}.LeaseMemory"/> gives out: one lease, never reused.</summary>
/// <remarks>
/// <see cref="_state"/> is 1 while the lease is not disposed, plus 2 for each pin; the buffer goes back when it reaches zero, so that
/// native code that still writes through a pin writes into nobody else's buffer.
/// </remarks>
internal sealed class LeasedMemory<T> : MemoryManager<T>, IMemoryOwner<T>
{
    private const int Alive = 1;
    private const int OnePin = 2;

    private readonly BufferPool<T> _pool;
    private readonly int _length;

    /// <summary>What goes back; reachable for users only while the lease is not disposed.</summary>
    private readonly T[] _array;
    private int _state = Alive;

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
        if (!TryChangeAlive(OnePin, out _))
        {
            handle.Free();
            Throw.LeaseDisposed();
        }

        void* pointer = Unsafe.AsPointer(
            ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), elementIndex));
        return new MemoryHandle(pointer, handle, this);
    }

    /// <inheritdoc/>
    public override void Unpin()
    {
        if (Interlocked.Add(ref _state, -OnePin) == 0)
        {
            _pool.Return(_array);
        }
    }

    /// <inheritdoc/>
    protected override bool TryGetArray(out ArraySegment<T> segment)
    {
        segment = new ArraySegment<T>(GetArray(), 0, _length);
        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => End();

    /// <summary>Implemented anew: the base class's takes the object off the finalizer's list, on which it never is.</summary>
    void IDisposable.Dispose() => End();

    /// <summary>Ends the lease, once; what was not pinned goes back now.</summary>
    private void End()
    {
        if (Interlocked.CompareExchange(ref _state, 0, Alive) == Alive || (TryChangeAlive(-Alive, out int left) && left == 0))
        {
            _pool.Return(_array);
        }
    }

    private T[] GetArray()
    {
        if ((Volatile.Read(ref _state) & Alive) == 0)
        {
            Throw.LeaseDisposed();
        }

        return _array;
    }

    /// <summary>Adds to the state unless the lease is disposed; what it is then.</summary>
    private bool TryChangeAlive(int change, out int changed)
    {
        int state = Volatile.Read(ref _state);
        while ((state & Alive) != 0)
        {
            changed = state + change;
            int seen = Interlocked.CompareExchange(ref _state, changed, state);
            if (seen == state)
            {
                return true;
            }

            state = seen;
        }

        changed = state;
        return false;
    }
}
