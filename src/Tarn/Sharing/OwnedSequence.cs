using System.Buffers;

namespace Tarn;

/// <summary>
/// Owns elements in pooled memory: those that <see cref="SequenceBuilder{T}.Detach"/> took from a builder, or the bytes that
/// <see cref="PooledMemoryStream.Detach"/> took from a stream.
/// </summary>
/// <remarks>
/// Dispose it once to return the memory, from any thread; further calls do nothing. A call that a disposal on another thread overtakes
/// completes or throws <see cref="ObjectDisposedException"/>. Several threads may read the elements as long as none disposes it.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public abstract class OwnedSequence<T> : IDisposable
{
    private readonly ReadOnlySequence<T> _sequence;

    /// <summary>The calls that take slices: a disposal beside one leaves the memory to it.</summary>
    private PinCount _calls;

    private protected OwnedSequence(in ReadOnlySequence<T> sequence)
    {
        _sequence = sequence;
        Length = sequence.Length;
    }

    /// <summary>The elements. Do not use them after <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public ReadOnlySequence<T> Sequence
    {
        get
        {
            ThrowIfDisposed();
            return _sequence;
        }
    }

    /// <summary>The number of elements. Remains available after <see cref="Dispose"/>.</summary>
    public long Length { get; }

    /// <summary>Takes a slice of a part of the elements, which stays valid when this is disposed.</summary>
    /// <remarks>One thread at a time may take slices, also while others read.</remarks>
    /// <param name="start">The position of the first element.</param>
    /// <param name="length">The number of elements.</param>
    /// <returns>
    /// The slice. Dispose it once. It shares the memory if the part is in one array of the builder's or the stream's own, or in one slice
    /// that was appended to the builder. Otherwise, and where bytes are in native memory, the call copies the part to a buffer of the pool.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside the elements.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The copy does not fit in the budget of the builder or stream; nothing has changed.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public CountedSlice<T> Slice(long start, int length)
    {
        if (!_calls.TryPin())
        {
            ThrowIfDisposed();
        }

        CountedSlice<T> slice = default;
        try
        {
            SharingThrow.UnlessPart(start, length, Length);
            slice = Share(start, length);
            return slice;
        }
        finally
        {
            Leave(slice);
        }
    }

    /// <summary>Returns the memory: a builder's arrays to the pool with the owners appended, a stream's as its options require.</summary>
#pragma warning disable CA1816 // both derived types are this assembly's, and have no finalizer
    public void Dispose()
#pragma warning restore CA1816
    {
        if (_calls.Dispose())
        {
            GiveBack();
        }
    }

    /// <summary>Takes a slice of a part that is inside the elements.</summary>
    private protected abstract CountedSlice<T> Share(long start, int length);

    /// <summary>Returns the memory. It is called once.</summary>
    private protected abstract void GiveBack();

    /// <summary>Ends a call. The last one inside a disposed sequence returns the memory, and its slice if that fails.</summary>
    private void Leave(CountedSlice<T> slice)
    {
        if (!_calls.Unpin())
        {
            return;
        }

        try
        {
            GiveBack();
        }
        catch when (!slice.IsDefault)
        {
            slice.Dispose();
            throw;
        }
    }

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_calls.IsDisposed, this);
}
