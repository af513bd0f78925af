using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A lease whose bytes are taken from a budget, and return to it with the buffer.</summary>
/// <remarks>
/// The buffer and its bytes return when the lease is disposed and no pin is left (<see cref="PinCount"/>).
/// </remarks>
internal sealed class BudgetedMemory<T>(BufferPool<T> pool, T[] rented, int length, BudgetShare share) : MemoryManager<T>, IMemoryOwner<T>
{
    private PinCount _pins;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public override Memory<T> Memory
    {
        get
        {
            _ = GetArray();
            return CreateMemory(length);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public override Span<T> GetSpan() => GetArray().AsSpan(0, length);

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> is outside the buffer.</exception>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        T[] array = GetArray();
        if ((uint)elementIndex > (uint)length)
        {
            Throw.Outside(nameof(elementIndex), elementIndex, length);
        }

        GCHandle handle = GCHandle.Alloc(array, GCHandleType.Pinned);
        if (!_pins.TryPin())
        {
            handle.Free();
            PoolThrow.LeaseDisposed();
        }

        void* pointer = Unsafe.AsPointer(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), elementIndex));
        return new MemoryHandle(pointer, handle, this);
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The buffer is not pinned.</exception>
    public override void Unpin()
    {
        if (_pins.Unpin())
        {
            End();
        }
    }

    /// <inheritdoc/>
    protected override bool TryGetArray(out ArraySegment<T> segment)
    {
        segment = new ArraySegment<T>(GetArray(), 0, length);
        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (_pins.Dispose())
        {
            End();
        }
    }

    private void End()
    {
        try
        {
            pool.Return(rented);
        }
        finally
        {
            share.Return();
        }
    }

    private T[] GetArray()
    {
        if (_pins.IsDisposed)
        {
            PoolThrow.LeaseDisposed();
        }

        return rented;
    }
}
