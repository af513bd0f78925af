using System.Diagnostics.Tracing;
using System.Reflection;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public class EventTests
{
    [Fact]
    public void Every_rent_and_return_is_reported_while_a_listener_wants_all()
    {
        using EventRecorder recorder = new(EventLevel.Verbose);
        BufferPool<byte> pool = CreatePool();
        byte[] first = pool.Rent(100);
        pool.Return(first);
        Assert.Same(first, pool.Rent(100));
        pool.Return(first, clearArray: true);
        using (BufferLease<byte> lease = pool.Lease(100))
        {
        }

        pool.LeaseMemory(100).Dispose();

        Assert.Equal(
            [
                "BufferAllocated 112 2", "BufferRented 112", "BufferReturned 112", "BufferRented 112", "BufferReturned 112",
                "BufferRented 112", "BufferReturned 112", "BufferRented 112", "BufferReturned 112",
            ],
            recorder.Of(pool));
        Assert.All(recorder.Payloads("BufferRented").Where(payload => payload[2] is int id && id == pool.GetHashCode()), payload =>
            Assert.Equal(System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(first), payload[0]));
    }

    [Fact]
    public void A_thread_with_a_warm_cache_reports_every_buffer_it_rents()
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using Barrier turn = new(2);
        EventRecorder? recorder = null;
        Thread warm = new(() =>
        {
            RentAndReturn(pool, 20);
            turn.SignalAndWait();
            turn.SignalAndWait();
            RentAndReturn(pool, 20);
        });
        warm.Start();
        turn.SignalAndWait();
        using (recorder = new EventRecorder(EventLevel.Verbose))
        {
            turn.SignalAndWait();
            warm.Join();

            int id = pool.GetHashCode();
            Assert.Equal((20, 20), (recorder.Count("BufferRented", id), recorder.Count("BufferReturned", id)));
        }
    }

    [Fact]
    public void The_return_of_a_buffer_rented_before_listening_began_is_reported()
    {
        BufferPool<byte> pool = CreatePool();
        RentAndReturn(pool, 3);
        byte[] early = pool.Rent(100);
        using BufferLease<byte> lease = pool.Lease(100);
        using EventRecorder recorder = new(EventLevel.Verbose);
        pool.Return(early);
        lease.Dispose();

        Assert.Equal(["BufferReturned 112", "BufferReturned 112"], recorder.Of(pool));
    }

    [Fact]
    public void When_only_a_less_verbose_listener_is_left_rents_are_no_longer_reported()
    {
        using EventRecorder staying = new(EventLevel.Informational);
        BufferPool<byte> pool = CreatePool();
        using (EventRecorder leaving = new(EventLevel.Verbose))
        {
            RentAndReturn(pool, 3);
        }

        staying.Forget();
        RentAndReturn(pool, 3);

        Assert.Empty(staying.Of(pool));
    }

    [Fact]
    public void Buffers_that_belong_to_no_bucket_say_so_as_the_BCLs_do()
    {
        using EventRecorder recorder = new(EventLevel.Verbose);
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None, MaxArrayLength = 1000 });
        pool.Return(pool.Rent(5000));
        pool.Return(pool.RentExact(99));
        pool.Return(pool.RentExact(99));

        object?[][] buckets = [.. recorder.Payloads("BufferRented").Concat(recorder.Payloads("BufferDropped"))
            .Where(payload => payload[2] is int id && id == pool.GetHashCode())];
        Assert.Equal(4, buckets.Length);
        Assert.All(buckets, payload => Assert.Equal(-1, payload[3]));
    }

    [Fact]
    public void When_the_listener_stops_the_fast_path_is_back()
    {
        BufferPool<byte> pool = CreatePool();
        RentAndReturn(pool, 3);
        Assert.True(IsGateOpen(pool));
        using EventRecorder recorder = new(EventLevel.Verbose);
        RentAndReturn(pool, 3);
        Assert.False(IsGateOpen(pool));

        recorder.Stop();
        recorder.Forget();
        RentAndReturn(pool, 3);

        AssertFastAgain(pool);
        Assert.Empty(recorder.Of(pool));
    }

    [Fact]
    public void When_the_listener_is_disposed_the_fast_path_is_back()
    {
        BufferPool<byte> pool = CreatePool();
        using (EventRecorder recorder = new(EventLevel.Verbose))
        {
            RentAndReturn(pool, 3);
            Assert.False(IsGateOpen(pool));
        }

        RentAndReturn(pool, 3);

        AssertFastAgain(pool);
    }

    [Fact]
    public void A_pool_made_after_the_listener_stopped_is_fast_from_the_start()
    {
        using (EventRecorder recorder = new(EventLevel.Verbose))
        {
            RentAndReturn(CreatePool(), 3);
        }

        BufferPool<byte> pool = CreatePool();
        RentAndReturn(pool, 3);

        AssertFastAgain(pool);
    }

    [Fact]
    public void While_another_listener_listens_to_all_the_end_of_one_changes_nothing()
    {
        using EventRecorder staying = new(EventLevel.Verbose);
        BufferPool<byte> pool = CreatePool();
        using (EventRecorder leaving = new(EventLevel.Verbose))
        {
            RentAndReturn(pool, 3);
        }

        RentAndReturn(pool, 3);

        Assert.Equal((6, 6), (staying.Count("BufferRented", pool.GetHashCode()), staying.Count("BufferReturned", pool.GetHashCode())));
    }

    [Fact]
    public void A_listener_to_allocations_only_leaves_the_fast_path_alone()
    {
        using EventRecorder recorder = new(EventLevel.Informational);
        BufferPool<byte> pool = BufferPool<byte>.Create(
            new BufferPoolOptions { Checks = BufferChecks.None, MaxArrayLength = 1000, MaxRetainedBytes = 300 });
        byte[] kept = pool.Rent(100);
        byte[] alsoKept = pool.Rent(100);
        byte[] tooMany = pool.Rent(100);
        byte[] tooLong = pool.Rent(3000);
        pool.Return(kept);
        pool.Return(alsoKept);
        pool.Return(tooMany);
        pool.Return(tooLong);
        RentAndReturn(pool, 3);
        Assert.True(IsGateOpen(pool));
        pool.Trim();

        IReadOnlyList<string> told = recorder.Of(pool);
        Assert.Equal(3, told.Count(one => one == "BufferAllocated 112 2"));
        Assert.Contains("BufferAllocated 3000 1", told);
        Assert.Contains("BufferDropped 112 0", told);
        Assert.Contains("BufferDropped 3000 1", told);
        Assert.Contains("BufferTrimmed 112", told);
        Assert.DoesNotContain(told, one => one.StartsWith("BufferRented", StringComparison.Ordinal));
    }

    [Fact]
    public void A_checked_pool_reports_the_buffers_it_gives_up()
    {
        using EventRecorder recorder = new(EventLevel.Informational);
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.UseAfterReturn });
        RentAndReturn(pool, 1);
        pool.Trim();

        Assert.Contains("BufferTrimmed 112", recorder.Of(pool));
        Assert.Equal(1, pool.GetStatistics().Trimmed);
    }

    [Fact]
    public void An_incident_is_reported_as_a_warning()
    {
        using EventRecorder recorder = new(EventLevel.Warning);
        using CheckedPool<byte> tested = new(BufferChecks.Returns);
        byte[] buffer = tested.Pool.Rent(100);
        tested.Pool.Return(buffer);
        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(buffer));
        BufferIncident incident = tested.Incidents.WaitForOne();

        object?[] payload = Assert.Single(recorder.Payloads("Incident"), one => (string?)one[1] == incident.SourceName);
        Assert.Equal([nameof(BufferIncidentKind.DoubleReturn), incident.SourceName, incident.RentedAt, incident.ReturnedAt], payload);
    }

    [Fact]
    public void Listeners_that_come_and_go_while_pools_are_made_leave_every_pool_fast()
    {
        using CancellationTokenSource stop = new();
        List<BufferPool<byte>> pools = [];
        Thread making = new(() =>
        {
            while (!stop.IsCancellationRequested && pools.Count < 3000)
            {
                BufferPool<byte> pool = CreatePool();
                RentAndReturn(pool, 1);
                pools.Add(pool);
            }
        });
        making.Start();
        for (int i = 0; i < 50; i++)
        {
            using EventRecorder recorder = new(EventLevel.Verbose);
        }

        stop.Cancel();
        making.Join();
        foreach (BufferPool<byte> pool in pools)
        {
            RentAndReturn(pool, 1);
        }

        Assert.All(pools, pool => Assert.True(IsGateOpen(pool)));
    }

    [Fact]
    public void A_listener_that_rents_while_pools_are_first_used_never_hangs_the_process()
    {
        // Which of the two comes first is luck: each process is one throw of the dice.
        for (int i = 0; i < (StressLength.IsLong ? 16 : 4); i++)
        {
            Assert.Equal(["heard=True", "sources=1"], ChildProcess.Run(["attach"]));
        }
    }

    private static BufferPool<byte> CreatePool() => BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    private static void RentAndReturn<T>(BufferPool<T> pool, int times)
    {
        for (int i = 0; i < times; i++)
        {
            pool.Return(pool.Rent(100));
        }
    }

    private static void AssertFastAgain(BufferPool<byte> pool)
    {
        Assert.True(IsGateOpen(pool));
        RentAndReturn(pool, 1000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        RentAndReturn(pool, 1000);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    /// <summary>
    /// Whether a hit takes the fast path, if the pool has a place in the directories: then a return looks at the last rent's entry.
    /// </summary>
    private static bool IsGateOpen(BufferPool<byte> pool) =>
        (nint)typeof(BufferPool<byte>).GetField("_lastMask", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(pool)! != 0;
}
