using System.Buffers;

namespace Tarn;

/// <summary>What a <see cref="PooledMemoryStream"/> held, now with an owner of its own; see <see cref="PooledMemoryStream.Detach"/>.</summary>
/// <remarks>
/// Dispose it to give the memory back, once; again is harmless, from any thread. One that is forgotten is collected with its arrays. Reading is safe
/// on several threads as long as nobody disposes it.
/// </remarks>
public sealed class PooledSequence : IDisposable
{
    private readonly PooledMemoryStreamOptions _options;
    private readonly ReadOnlySequence<byte> _sequence;
    private SegmentTable? _table;
    private int _isDisposed;

    internal PooledSequence(SegmentTable? table, long length, PooledMemoryStreamOptions options)
    {
        _options = options;
        _table = table;
        _sequence = length == 0 ? ReadOnlySequence<byte>.Empty : table!.GetSequence(length);
        Dirty = Math.Max(length, table?.ExposedTo ?? 0);
        Length = length;
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

    private long Dirty { get; }

    /// <summary>Gives the memory back, cleared as the stream's options ask.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0 || _table is not { } table)
        {
            return;
        }

        _table = null;
        PooledMemoryStream.GiveBack(table, Dirty, _options);
    }
}
