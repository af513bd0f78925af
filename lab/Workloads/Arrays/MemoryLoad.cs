using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>A load of 1 KiB to 1 MiB on a pool, returned in the order it was rented.</summary>
internal sealed class MemoryLoad<TPool> : LoadThreads<byte[]>
    where TPool : struct, IBytePool
{
    private const int SmallestSize = 1 << 10;
    private const int Doublings = 10;

    private readonly TPool _pool;
    private long _inUse;

    public MemoryLoad(TPool pool, int threads, long bytes, Random random)
        : base(threads, bytes, SmallestSize, Doublings)
    {
        _pool = pool;
        Start(random);
    }

    /// <summary>Bytes of the buffers that are rented now.</summary>
    public long InUseBytes => Volatile.Read(ref _inUse);

    protected override byte[] Take(int size)
    {
        byte[] buffer = _pool.Rent(size);
        Interlocked.Add(ref _inUse, buffer.Length);
        return buffer;
    }

    protected override Span<byte> MemoryOf(byte[] block) => block;

    protected override void GiveBack(byte[] block)
    {
        Interlocked.Add(ref _inUse, -block.Length);
        _pool.Return(block);
    }
}
