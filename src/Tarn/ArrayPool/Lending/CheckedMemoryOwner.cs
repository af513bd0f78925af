using System.Buffers;

namespace Tarn;

/// <summary>The owner of a block of <see cref="PooledMemoryPool{T}"/> whose pool has checks. It is never reused.</summary>
/// <remarks>
/// Its memory is that of a <see cref="LeasedMemory{T}"/>, which throws when it is used after the disposal. A second disposal changes
/// nothing and is reported.
/// </remarks>
internal sealed class CheckedMemoryOwner<T>(
    PooledMemoryPool<T> pool, LeasedMemory<T> lease, RentLedger ledger) : IMemoryOwner<T>
{
    private RentRecord? _record;
    private int _isDisposed;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The owner was disposed.</exception>
    public Memory<T> Memory => lease.Memory;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            pool.TakeBack(lease);
        }
        else
        {
            ledger.OnDisposedTwice(_record);
        }
    }

    /// <summary>Sets the record of the rent, which comes after the owner.</summary>
    internal void Begin(RentRecord? record) => _record = record;
}
