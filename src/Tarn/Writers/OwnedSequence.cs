using System.Buffers;

namespace Tarn;

/// <summary>Owns the elements that <see cref="SequenceBuilder{T}.Detach"/> took from a <see cref="SequenceBuilder{T}"/>.</summary>
/// <remarks>
/// Dispose it once to return the memory, from any thread; further calls are harmless. Several threads may read as long as none disposes it.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public sealed class OwnedSequence<T> : IDisposable
{
    private readonly BufferPool<T> _pool;
    private readonly ReadOnlySequence<T> _sequence;
    private readonly BuilderNode<T>? _first;
    private int _isDisposed;

    internal OwnedSequence(BufferPool<T> pool, in ReadOnlySequence<T> sequence, BuilderNode<T>? first)
    {
        _pool = pool;
        _sequence = sequence;
        _first = first;
        Length = sequence.Length;
    }

    /// <summary>The elements. Do not use them after <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public ReadOnlySequence<T> Sequence
    {
        get
        {
            ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
            return _sequence;
        }
    }

    /// <summary>The number of elements. Remains available after <see cref="Dispose"/>.</summary>
    public long Length { get; }

    /// <summary>Takes a slice of a part of the elements, which stays valid when this is disposed.</summary>
    /// <remarks>One thread at a time may take slices, also while others read.</remarks>
    /// <param name="start">The first element.</param>
    /// <param name="length">The number of elements.</param>
    /// <returns>
    /// The slice. Dispose it once. It shares the memory if the part is in one segment of the builder's own or in one slice that was
    /// appended. Otherwise the call copies the part to a buffer of the pool.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside the elements.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public SharedSlice<T> Slice(long start, int length) => SegmentList.Slice(_pool, Sequence, start, length);

    /// <summary>Returns the builder's arrays to the pool, and disposes the owners that were appended.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            SegmentList.GiveBack(_pool, _first);
        }
    }
}
