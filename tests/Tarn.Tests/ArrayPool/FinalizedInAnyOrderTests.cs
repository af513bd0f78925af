using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>
/// Pools, leases and owners whose ends come in every order: in finalizers before and after the pool's own, twice, from several threads at
/// once, and used afterwards. A pool that is alive never shares an array because of it.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class FinalizedInAnyOrderTests
{
    private const int Length = 100;

    private static readonly Dictionary<string, Func<BufferPool<byte>, IMemoryOwner<byte>>> s_owners = new()
    {
        ["LeaseMemory"] = static pool => pool.LeaseMemory(Length),
        ["AsMemoryPool"] = static pool => pool.AsMemoryPool().Rent(Length),
        ["a memory pool of its own"] = static pool =>
            pool.AsMemoryPool(minLength: 0, doubling: true).Rent(Length),
    };

    private readonly ConcurrentQueue<string> _failures = [];
    private int _ends;

    public static TheoryData<string, BufferChecks> Owners
    {
        get
        {
            TheoryData<string, BufferChecks> owners = [];
            foreach (string owner in s_owners.Keys)
            {
                owners.Add(owner, BufferChecks.None);
                owners.Add(owner, BufferChecks.Returns | BufferChecks.UseAfterReturn);
            }

            return owners;
        }
    }

    [Theory]
    [MemberData(nameof(Owners))]
    public void Owners_disposed_by_finalizers_before_and_after_their_pools_share_no_array_with_a_living_pool(
        string owner, BufferChecks checks)
    {
        using Worker other = new();
        for (int round = 0; round < StressLength.Times(2, 10); round++)
        {
            Drop(owner, checks);
            other.Run(() => Drop(owner, checks));
            GC.Collect();
            UseNew();
            other.Run(UseNew);
            GC.WaitForPendingFinalizers();
            UseNew();
        }

        Eventually.TrueAfterCollections(() => Volatile.Read(ref _ends) > 0, "owners are finalized");
        Assert.True(_failures.IsEmpty, $"{_failures.Count} failures; the first: {_failures.FirstOrDefault()}");
    }

    [Theory]
    [MemberData(nameof(Owners))]
    public void Of_disposals_on_many_threads_at_once_one_returns_the_array(string owner, BufferChecks checks)
    {
        BufferPool<byte> pool = Create(checks);
        for (int round = 0; round < StressLength.Times(8, 50); round++)
        {
            IMemoryOwner<byte> owned = s_owners[owner](pool);
            using Barrier start = new(4);
            Thread[] threads = [.. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
            {
                start.SignalAndWait();
                owned.Dispose();
                owned.Dispose();
            }))];
            Array.ForEach(threads, static thread => thread.Start());
            Array.ForEach(threads, static thread => thread.Join());
            Assert.Throws<ObjectDisposedException>(() => owned.Memory);
            Assert.Equal(round + 1, pool.GetStatistics().Returned);
        }

        Assert.Equal(0, pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void A_pool_that_ends_twice_gives_its_index_back_once()
    {
        PoolCore gone = new(new BufferPoolOptions(), elementSize: 1, eventId: 0);
        gone.Retire();
        PoolCore next = new(new BufferPoolOptions(), elementSize: 1, eventId: 0);
        gone.Retire();
        PoolCore last = new(new BufferPoolOptions(), elementSize: 1, eventId: 0);

        Assert.NotEqual(next.Index, last.Index);
        next.Retire();
        last.Retire();
    }

    /// <summary>A finalizer may register any object again, a pool of the library too.</summary>
    [Fact]
    public void A_pool_that_its_owner_registers_for_finalization_again_shares_no_place_with_a_living_one()
    {
        List<BufferPool<byte>> alive = [];
        for (int round = 0; round < 5; round++)
        {
            int before = Volatile.Read(ref _ends);
            DropRegistering();
            Eventually.True(
                () =>
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    alive.Add(Create(BufferChecks.None));
                    return Volatile.Read(ref _ends) > before + 3;
                },
                "the owner registers its pool a few times");
        }

        Assert.Equal(alive.Count, alive.Select(static pool => pool.Core.Index).Distinct().Count());
    }

    [Fact]
    public void A_pool_that_ended_takes_arrays_back_and_keeps_none_on_any_thread()
    {
        BufferPool<byte> pool = Create(BufferChecks.None);
        using Worker other = new();
        byte[][] early = [.. Enumerable.Range(0, 10).Select(_ => pool.Rent(Length))];
        byte[][] others = other.Run(() => Enumerable.Range(0, 10).Select(_ => pool.Rent(Length)).ToArray());
        IMemoryOwner<byte> lease = pool.LeaseMemory(Length);
        BufferLease<byte> onStack = pool.Lease(Length);
        pool.Core.Retire();

        Array.ForEach(early, array => pool.Return(array));
        other.Run(() => Array.ForEach(others, array => pool.Return(array)));
        lease.Dispose();
        onStack.Dispose();
        pool.Return(pool.RentExact(9));
        Assert.NotSame(pool.Rent(Length), pool.Rent(Length));
        pool.Trim();

        Assert.Equal((0, 0), (pool.GetStatistics().RetainedBytes, pool.Core.Budget.Granted));
    }

    /// <summary>What reads all sources may run while some of them are being finalized, in a finalizer too.</summary>
    [Fact]
    public void Snapshots_in_finalizers_of_dropped_pools_do_not_fail()
    {
        for (int round = 0; round < 5; round++)
        {
            DropSnapshots();
            GC.Collect();
            _ = BufferDiagnostics.GetSources();
            GC.WaitForPendingFinalizers();
        }

        Eventually.TrueAfterCollections(() => Volatile.Read(ref _ends) > 0, "the users are finalized");
        Assert.True(_failures.IsEmpty, _failures.FirstOrDefault());
    }

    private static BufferPool<byte> Create(BufferChecks checks) =>
        BufferPool<byte>.Create(new BufferPoolOptions { Checks = checks, MaxRetainedBytes = 1 << 24 });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Drop(string owner, BufferChecks checks)
    {
        for (int i = 0; i < 10; i++)
        {
            BufferPool<byte> pool = Create(checks);
            for (int user = 0; user < 8; user++)
            {
                s_owners[owner](pool).Dispose();
                _ = new AtEnd(this, _ => End(pool, s_owners[owner](pool), s_owners[owner]));
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DropRegistering()
    {
        BufferPool<byte> pool = Create(BufferChecks.None);
        pool.Return(pool.Rent(Length));
        _ = new AtEnd(this, end =>
        {
            GC.ReRegisterForFinalize(pool);
            if (end.Ends < 4)
            {
                GC.ReRegisterForFinalize(end);
            }
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DropSnapshots()
    {
        for (int i = 0; i < 10; i++)
        {
            BufferPool<byte> pool = Create(BufferChecks.None);
            pool.Return(pool.Rent(Length));
            _ = new AtEnd(this, end =>
            {
                _ = pool.GetStatistics();
                _ = BufferDiagnostics.GetSources();
                pool.Trim();
            });
        }
    }

    /// <summary>Ends an owner twice, and takes and ends another, in a finalizer.</summary>
    private static void End(BufferPool<byte> pool, IMemoryOwner<byte> owned, Func<BufferPool<byte>, IMemoryOwner<byte>> take)
    {
        owned.Memory.Span.Fill(1);
        owned.Dispose();
        owned.Dispose();
        using IMemoryOwner<byte> next = take(pool);
        next.Memory.Span.Fill(2);
        BufferLease<byte> lease = pool.Lease(Length);
        lease.Span.Fill(3);
        lease.Dispose();
        lease.Dispose();
        using ScratchBuffer<byte> scratch = new(default, Length, pool);
        scratch.Span.Fill(4);
        Assert.Equal(2, next.Memory.Span[0]);
    }

    /// <summary>A new pool's arrays are its renters' alone.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UseNew()
    {
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        for (int round = 0; round < 6; round++)
        {
            long[][] rented = [.. Enumerable.Range(0, 4).Select(_ => pool.Rent(Length))];
            if (rented.Distinct().Count() < 4 || rented.Any(static array => ((object)array).GetType() != typeof(long[])))
            {
                _failures.Enqueue("a living pool handed out an array that is not its own");
                return;
            }

            Array.ForEach(rented, array => pool.Return(array));
        }
    }

    private sealed class AtEnd(FinalizedInAnyOrderTests test, Action<AtEnd> act)
    {
        internal int Ends { get; private set; }

        ~AtEnd()
        {
            Ends++;
            try
            {
                act(this);
            }
#pragma warning disable CA1031 // it would end the process; the test fails with it
            catch (Exception e)
#pragma warning restore CA1031
            {
                test._failures.Enqueue(e.ToString());
            }

            Interlocked.Increment(ref test._ends);
        }
    }
}
