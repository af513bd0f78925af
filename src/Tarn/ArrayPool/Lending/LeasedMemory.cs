using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner that <see cref="BufferPool{T}.LeaseMemory"/> returns: one lease, never reused.</summary>
/// <remarks>The buffer returns to the pool when the lease is disposed and no pin is left (<see cref="PinCount"/>).</remarks>
internal abstract class LeasedMemory<T> : MemoryManager<T>, IMemoryOwner<T>
{
    /// <summary>The rented array. Users can reach it only until the lease is disposed.</summary>
    private T[] _array = null!;
    private int _length;
    private PinCount _pins;

    private LeasedMemory()
    {
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

    /// <summary>The pool that takes the buffer back.</summary>
    protected abstract BufferPool<T> Pool { get; }

    /// <summary>
    /// Creates a lease before its buffer is rented: if there is no memory for the lease, no buffer is lost. <see cref="Begin"/> follows.
    /// </summary>
    internal static LeasedMemory<T> Create(BufferPool<T> pool) => pool == BufferPool<T>.Shared ? new OfShared() : new OfOther(pool);

    /// <summary>Creates a lease, as <see cref="Create(BufferPool{T})"/> does, whose bytes return to their budget with the buffer.</summary>
    internal static LeasedMemory<T> Create(BufferPool<T> pool, BudgetShare share) => new OfBudget(pool, share);

    /// <summary>Makes the lease that of an array of at least <paramref name="length"/> elements that its pool handed out.</summary>
    internal void Begin(T[] array, int length)
    {
        _length = length;
        _array = array;
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public override Span<T> GetSpan() => MemoryMarshal.CreateSpan(ref MemoryMarshal.GetArrayDataReference(GetArray()), _length);

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> is outside the buffer.</exception>
    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        T[] array = GetArray();
        if ((uint)elementIndex > (uint)_length)
        {
            Throw.Outside(nameof(elementIndex), elementIndex, _length);
        }

        GCHandle handle = GCHandle.Alloc(array, GCHandleType.Pinned);
        if (!_pins.TryPin())
        {
            handle.Free();
            PoolThrow.LeaseDisposed();
        }

        void* pointer = Unsafe.AsPointer(
            ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), elementIndex));
        return new MemoryHandle(pointer, handle, this);
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The buffer is not pinned.</exception>
    public override void Unpin()
    {
        if (_pins.Unpin())
        {
            GiveBack();
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

    /// <summary>Reimplemented, because the base class suppresses the finalization of an object that has no finalizer.</summary>
    void IDisposable.Dispose() => End();

    /// <summary>
    /// Ends the lease once, and returns its buffer unless it is pinned. This is a short form of
    /// <see cref="BufferPool{T}.Return(T[], bool)"/> with a single call, because the compiler copies a finally block into the path of the
    /// try block only while the block is short. The entry is read first, because loads after an interlocked operation wait for it. Only
    /// this lease frees the top slot.
    /// </summary>
    private void End()
    {
        nint last = Pool.Last;
        if (last != 0 && BufferPool<T>.EntryAt(last).Top == (object)_array && _pins.TryDisposeUnpinned())
        {
            BufferPool<T>.EntryAt(last).IsTopFree = 1;
            return;
        }

        EndSlow();
    }

    /// <summary>
    /// The slow path of <see cref="End"/>: the buffer is not the last rent's, or the lease is pinned or already disposed.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndSlow()
    {
        if (_pins.Dispose())
        {
            GiveBack();
        }
    }

    /// <summary>Returns the buffer of a lease that is disposed and not pinned.</summary>
    private protected virtual void GiveBack() => Pool.ReturnLeased(_array);

    private T[] GetArray()
    {
        if (_pins.IsDisposed)
        {
            PoolThrow.LeaseDisposed();
        }

        return _array;
    }

    /// <summary>
    /// A lease of the shared pool. It has a type of its own because it is smaller, and its allocation is half the cost of a lease.
    /// </summary>
    private sealed class OfShared : LeasedMemory<T>
    {
        protected override BufferPool<T> Pool => BufferPool<T>.Shared;
    }

    private sealed class OfOther(BufferPool<T> pool) : LeasedMemory<T>
    {
        protected override BufferPool<T> Pool => pool;
    }

    /// <summary>A lease whose bytes are taken from a budget. It never ends by the short way.</summary>
    private sealed class OfBudget(BufferPool<T> pool, BudgetShare share) : LeasedMemory<T>, IDisposable
    {
        protected override BufferPool<T> Pool => pool;

#pragma warning disable CA2215 // the base ends a lease by the short way, which returns no bytes
        protected override void Dispose(bool disposing) => EndSlow();
#pragma warning restore CA2215

        void IDisposable.Dispose() => EndSlow();

        private protected override void GiveBack()
        {
            try
            {
                base.GiveBack();
            }
            finally
            {
                share.Return();
            }
        }
    }
}
