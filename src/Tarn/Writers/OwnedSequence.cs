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

    /// <summary>Returns the builder's arrays to the pool, and disposes the owners that were appended.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            SegmentList.GiveBack(_pool, _first);
        }
    }
}
