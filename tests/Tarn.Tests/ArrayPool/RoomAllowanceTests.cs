using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

public sealed class RoomAllowanceTests
{
    [Theory]
    [InlineData(1, 0)]
    [InlineData(1, 100_000)]
    [InlineData(1, 1 << 20)]
    [InlineData(1, 1L << 40)]
    [InlineData(2, 16 << 20)]
    [InlineData(40, 1L << 40)]
    [InlineData(1000, 1L << 40)]
    [InlineData(5000, 1L << 40)]
    public void Unearned_room_adds_up_to_less_than_the_allowance(int elementSize, long cap)
    {
        PoolCore pool = new(new BufferPoolOptions { MaxRetainedBytes = cap }, elementSize, int.MaxValue);
        long bytes = 0;
        for (long length = 1; length <= 64 << 10; length = pool.ClassOf(pool.IndexOf((int)length)).Length + 1)
        {
            ArrayClass one = pool.ClassOf(pool.IndexOf((int)length));
            bytes += one.Unearned * one.Bytes;
        }

        Assert.InRange(bytes + RoomAllowance.LendableBytes(cap), 0, RoomAllowance.Bytes);
        Assert.True(cap > 0 || bytes + RoomAllowance.LendableBytes(cap) == 0);
    }

    [Fact]
    public void Borrowed_room_goes_back_with_the_trimmed_buffers()
    {
        using Worker renter = new();
        BufferPool<byte> pool = BufferPool<byte>.Create();
        HandOver(pool, renter);
        ArrayClass handed = pool.Core.ClassOf(pool.Core.IndexOf(50_000));
        Assert.InRange(pool.Core.GetSections().Sum(static section => section.LentBytes), 2 * handed.Bytes, 2 * RoomAllowance.Bytes);

        pool.Trim();

        Assert.Equal(0, pool.Core.GetSections().Sum(static section => section.LentBytes));
    }

    /// <summary>
    /// Thread pools have many threads, of which few work. Room that idle ones keep while their buffers are elsewhere must not hinder the
    /// others.
    /// </summary>
    [Theory]
    [InlineData(1000, 1)]
    [InlineData(1000, 8)]
    [InlineData(50_000, 2)]
    [InlineData(1_000_000, 1)]
    public void Idle_threads_with_empty_room_leave_room_to_one_at_work(int length, int depth)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create();
        Worker[] idle = [.. Enumerable.Range(0, 20).Select(static _ => new Worker())];
        foreach (Worker worker in idle)
        {
            worker.Run(() => GoDeep(pool, length, depth));
            Array.ForEach(worker.Run(() => RentMany(pool, length, depth)), array => pool.Return(array));
        }

        using Worker busy = new();
        busy.Run(() => GoDeep(pool, length, depth));

        ArrayClass pooled = pool.Core.ClassOf(pool.Core.IndexOf(length));
        int kept = busy.Run(() => PoolThreads.Find(pool.Core.Index)!.Classes!.FreeCount);
        Assert.InRange(kept, depth, int.MaxValue);
        Assert.InRange(pooled.Depot.Count, 0, 20 * depth);
        Array.ForEach(idle, static worker => worker.Dispose());
    }

    private static void GoDeep(BufferPool<byte> pool, int length, int depth)
    {
        for (int round = 0; round < 200; round++)
        {
            Array.ForEach(RentMany(pool, length, depth), array => pool.Return(array));
        }
    }

    private static byte[][] RentMany(BufferPool<byte> pool, int length, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => pool.Rent(length))];

    private static void HandOver(BufferPool<byte> pool, Worker renter)
    {
        for (int round = 0; round < 20; round++)
        {
            byte[][] rented = renter.Run(() => Enumerable.Range(0, 100).Select(_ => pool.Rent(50_000)).ToArray());
            Array.ForEach(rented, array => pool.Return(array));
        }
    }
}
