using System.Buffers;

namespace Tarn;

/// <summary>
/// What a <see cref="PooledMemoryStream"/> held, now with an owner of its own; see <see cref="PooledMemoryStream.Detach"/>.
/// </summary>
/// <remarks>
/// Dispose it to give the memory back, once; again is harmless, from any thread. One that is forgotten is collected with its arrays.
/// Reading is safe on several threads as long as nobody disposes it.
/// </remarks>
public sealed class PooledSequence : IDisposable
{
    private readonly ReadOnlySequence<byte> _sequence;
    private SegmentedBytes _bytes;
    private int _isDisposed;

    /// <param name="bytes">The bytes it takes over; their previous owner has none left.</param>
    internal PooledSequence(ref SegmentedBytes bytes)
    {
        // First: if there is no memory for it, the bytes must stay where they are.
        _sequence = bytes.GetSequence();
        _bytes.TakeOver(ref bytes);
        Length = _bytes.Length;
    }

    /// <summary>The bytes; not to be used any more after <see cref="Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The sequence was disposed.</exception>
    public ReadOnlySequence<byte> Sequence
    {
        get
        {
            ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
            return _sequence;
        }
    }

    /// <summary>How many bytes; also after <see cref="Dispose"/>.</summary>
    public long Length { get; }

    /// <summary>Gives the memory back, cleared as the stream's options ask.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            _bytes.GiveUp();
        }
    }
}
