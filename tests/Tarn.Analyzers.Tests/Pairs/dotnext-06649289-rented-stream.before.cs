// dotnet/dotNext, commits 066492891 and a120d1ab3 (RentedMemoryStream).
// DisposeAsync returned the array and then called the base class, which calls Dispose, which returned it again; and
// Dispose itself was not guarded. The fixes drop the override and forget the pool after the first return.
using System.Buffers;
using System.IO;
using System.Threading.Tasks;

internal sealed class RentedStream : MemoryStream
{
    private readonly ArrayPool<byte> _pool;
    private readonly byte[] _rented;

    internal RentedStream(int capacity, ArrayPool<byte> pool)
        : this(pool.Rent(capacity), capacity, pool)
    {
    }

    private RentedStream(byte[] rented, int capacity, ArrayPool<byte> pool)
        : base(rented, 0, capacity, writable: true, publiclyVisible: true)
    {
        _rented = rented;
        _pool = pool;
        SetLength(0);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _pool.Return(_rented); // expect TARN005
        }

        base.Dispose(disposing);
    }

    public override ValueTask DisposeAsync()
    {
        _pool.Return(_rented); // expect TARN005
        return base.DisposeAsync();
    }
}
