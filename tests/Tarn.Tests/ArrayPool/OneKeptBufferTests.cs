using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>
/// A thread that keeps one buffer of a class takes back another thread's, as after an await, without any lock: the test holds the lock of
/// its cache meanwhile.
/// </summary>
public sealed class OneKeptBufferTests : IDisposable
{
    private const int Length = 64 << 10;

    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(
        new BufferPoolOptions { Checks = BufferChecks.None, MaxRetainedBytes = 1 << 28, IdleTimeout = Timeout.InfiniteTimeSpan });

    private readonly Worker _first = new();
    private readonly Worker _second = new();

    [Fact]
    public void A_buffer_rented_on_another_thread_comes_back_without_a_lock()
    {
        CacheSection section = KeepOne(_first);
        KeepOne(_second);
        for (int round = 0; round < 20; round++)
        {
            byte[] mine = _first.Run(() => _pool.Rent(Length));
            byte[] theirs = _second.Run(() => _pool.Rent(Length));
            WithoutLock(section, () => _first.Run(() => _pool.Return(theirs)));
            _second.Run(() => _pool.Return(mine));
        }

        AssertNothingLost();
    }

    [Fact]
    public void A_lease_that_crossed_to_another_thread_ends_without_a_lock()
    {
        CacheSection section = KeepOne(_first);
        KeepOne(_second);
        for (int round = 0; round < 20; round++)
        {
            IDisposable mine = _first.Run(() => _pool.LeaseMemory(Length));
            IDisposable theirs = _second.Run(() => _pool.LeaseMemory(Length));
            WithoutLock(section, () => _first.Run(theirs.Dispose));
            _second.Run(mine.Dispose);
        }

        AssertNothingLost();
    }

    /// <summary>A top slot that was given back takes no buffer that nobody counts.</summary>
    [Fact]
    public void After_a_trim_there_is_no_slot_until_room_is_granted_again()
    {
        KeepOne(_first);
        byte[] mine = _first.Run(() => _pool.Rent(Length));
        byte[] theirs = _second.Run(() => _pool.Rent(Length));
        _pool.Trim();
        Assert.Equal(0, _pool.Core.ThreadRoom.Granted);

        _first.Run(() => _pool.Return(theirs));
        _second.Run(() => _pool.Return(mine));

        AssertNothingLost();
    }

    public void Dispose()
    {
        _first.Dispose();
        _second.Dispose();
    }

    /// <summary>Leaves the thread with one slot, and a buffer in it.</summary>
    private CacheSection KeepOne(Worker thread)
    {
        thread.Run(() =>
        {
            for (int round = 0; round < 20; round++)
            {
                _pool.Return(_pool.Rent(Length));
            }
        });
        CacheSection section = thread.Run(() => PoolThreads.Find(_pool.Core.Index)!);
        Assert.Equal((1, 1), (section.Classes!.Slots, section.Classes.FreeCount));
        return section;
    }

    private static void WithoutLock(CacheSection section, Action act)
    {
        Task done;
        using (section.Sync.Hold())
        {
            done = Task.Run(act);
            Assert.True(done.Wait(TimeSpan.FromSeconds(20)), "the call waits for the lock of its thread's cache");
        }
    }

    private void AssertNothingLost()
    {
        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.Equal((0, statistics.Rented), (statistics.InUseBytes, statistics.Returned));
        _pool.Core.Validate();
        _pool.Trim();
        Assert.Equal(0, _pool.Core.Budget.Granted);
    }
}
