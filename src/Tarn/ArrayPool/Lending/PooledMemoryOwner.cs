using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner of a block of <see cref="PooledMemoryPool{T}"/>. It is reused after it was disposed.</summary>
/// <remarks>
/// <para>Disposal detaches the array in one atomic step, so of any number of disposals of one rent, on any threads, exactly one returns the
/// block. A disposed owner refuses <see cref="Memory"/> until it is handed out again.</para>
/// <para>Nothing tells a late disposal from the disposal by the next renter, because both hold the same object. So reuse is put off:
/// <see cref="OwnerRing{T}"/> hands an owner out again only after its thread has rented <see cref="OwnerRing{T}.Delay"/> others. A second
/// disposal within that span does nothing. A later one returns the block of whoever has the owner by then. Pools with checks report every
/// second disposal. <see cref="BufferPool{T}.LeaseMemory"/> never reuses an owner, for code that cannot promise to dispose once.</para>
/// <para>The memory is that of the array: accesses are as fast as an array's, and sockets and streams need no detour. Memory kept past the
/// disposal is not guarded, as with <see cref="MemoryPool{T}.Shared"/>.</para>
/// </remarks>
internal sealed class PooledMemoryOwner<T>(OwnerRing<T> home) : IMemoryOwner<T>
{
    /// <summary>The block; null while the owner is idle. Whoever exchanges it for null returns it.</summary>
    private T[]? _array;

    /// <summary>The terms of the block. An idle owner keeps the last ones.</summary>
    private BlockTerms<T>? _terms;

    /// <summary>The turn of the ring at the last disposal.</summary>
    private int _idleSince;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The owner was disposed.</exception>
    public Memory<T> Memory
    {
        get
        {
            T[]? array = Volatile.Read(ref _array);
            if (array is null)
            {
                PoolThrow.LeaseDisposed();
            }

            BlockTerms<T> terms = _terms!;
            int length = terms.LengthOf(array);
            return terms.IsPinned ? MemoryMarshal.CreateFromPinnedArray(array, 0, length) : new Memory<T>(array, 0, length);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        // Both come before the exchange: from then on the owner's thread may hand it out again, under other terms.
        BlockTerms<T>? terms = _terms;
        _idleSince = home.Turn;
        if (Interlocked.Exchange(ref _array, null) is { } array)
        {
            terms!.TakeBack(array);
        }
    }

    /// <summary>Whether the owner may be handed out at a turn of its ring.</summary>
    internal bool IsReadyAt(int turn) => Volatile.Read(ref _array) is null && turn - _idleSince > OwnerRing<T>.Delay;

    /// <summary>Makes an idle owner that of a block.</summary>
    internal void Begin(BlockTerms<T> terms, T[] array)
    {
        if (_terms != terms)
        {
            _terms = terms;
        }

        Volatile.Write(ref _array, array);
    }
}
