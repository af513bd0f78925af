using System.Buffers;

namespace Tarn;

/// <summary>Owns the contents that <see cref="PooledMemoryStream.Detach"/> took from a <see cref="PooledMemoryStream"/>.</summary>
/// <remarks>
/// Dispose it once to return the memory, from any thread; further calls are harmless. A forgotten sequence is collected with its arrays.
/// Several threads may read as long as none disposes it.
/// </remarks>
public sealed class PooledSequence : IDisposable
{
    private readonly ReadOnlySequence<byte> _sequence;
    private SegmentedBytes _bytes;
    private int _isDisposed;

    /// <param name="bytes">The bytes to take over. Their previous owner is empty afterwards.</param>
    internal PooledSequence(ref SegmentedBytes bytes)
    {
        // Do this first: if there is no memory for it, the bytes must stay with their owner.
        _sequence = bytes.GetSequence();
        _bytes.TakeOver(ref bytes);
        Length = _bytes.Length;
    }

    /// <summary>The bytes. Do not use them after <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public ReadOnlySequence<byte> Sequence
    {
        get
        {
            ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
            return _sequence;
        }
    }

    /// <summary>The length in bytes. Remains available after <see cref="Dispose"/>.</summary>
    public long Length { get; }

    /// <summary>Takes a slice of a part of the bytes, which stays valid when this is disposed.</summary>
    /// <remarks>One thread at a time may take slices, also while others read.</remarks>
    /// <param name="start">The position of the first byte.</param>
    /// <param name="length">The number of bytes.</param>
    /// <returns>
    /// The slice. Dispose it once. It shares the memory if the part is in one array. Otherwise, and where the bytes are in native memory,
    /// the call copies the part to a buffer of the pool.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside the bytes.</exception>
    /// <exception cref="BufferBudgetExceededException">The copy does not fit in the budget of the stream; nothing has changed.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public SharedSlice<byte> Slice(long start, int length)
    {
        ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
        SharingThrow.UnlessPart(start, length, Length);
        return _bytes.Slice(start, length);
    }

    /// <summary>Returns the memory, cleared as the stream's options require.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            _bytes.GiveUp();
        }
    }
}
