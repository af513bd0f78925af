using System.Diagnostics.Tracing;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>
/// What callers did to a pool leaves no trace in what its threads may keep: arrays of others that they returned, arrays that they
/// abandoned, returned twice, or rented before the gate closed. A pool with such a past keeps as much as a new one, where and when.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class PoolPastTests
{
    private const int Many = 500;

    public static TheoryData<string, int> Pasts
    {
        get
        {
            TheoryData<string, int> pasts = [];
            foreach (string past in s_pasts.Keys)
            {
                pasts.Add(past, 1000);
                pasts.Add(past, 64 << 10);
                pasts.Add(past, 400_000);
            }

            return pasts;
        }
    }

    private static readonly Dictionary<string, Action<BufferPool<byte>, int>> s_pasts = new()
    {
        ["arrays of others"] = static (pool, length) => ReturnForeign(pool, length),
        ["arrays of others, trimmed"] = static (pool, length) =>
        {
            ReturnForeign(pool, length);
            pool.Trim();
        },
        ["abandoned arrays"] = static (pool, length) =>
        {
            for (int i = 0; i < Many; i++)
            {
                pool.Rent(length);
            }
        },
        ["arrays returned twice"] = static (pool, length) => ReturnTwice(pool, length),
        ["arrays rented before the gate closed"] = static (pool, length) =>
        {
            byte[][] before = RentMany(pool, length, 20);
            using EventRecorder all = new(EventLevel.Verbose);
            ReturnMany(pool, before);
            ReturnMany(pool, RentMany(pool, length, 20));
            all.Stop();
        },
    };

    [Theory]
    [MemberData(nameof(Pasts))]
    public void A_thread_that_takes_eight_and_returns_eight_keeps_them_as_in_a_new_pool(string past, int length)
    {
        (long depot, long slots) fresh = GoDeep(Create(), length);
        BufferPool<byte> pool = WithPast(past, length);

        Assert.Equal(fresh, GoDeep(pool, length));
        pool.Core.Validate();
    }

    [Theory]
    [MemberData(nameof(Pasts))]
    public void Threads_whose_buffers_went_elsewhere_keep_as_much_room_as_in_a_new_pool(string past, int length)
    {
        long fresh = GrantToMany(Create(), length);
        BufferPool<byte> pool = WithPast(past, length);

        Assert.Equal(fresh, GrantToMany(pool, length));
        pool.Core.Validate();
    }

    private static BufferPool<byte> Create() => BufferPool<byte>.Create(new BufferPoolOptions
    {
        Checks = BufferChecks.None,
        MaxRetainedBytes = 1L << 30,
        IdleTimeout = Timeout.InfiniteTimeSpan,
    });

    /// <summary>The past is that of a thread that has ended, and all that was kept is given up.</summary>
    private static BufferPool<byte> WithPast(string past, int length)
    {
        BufferPool<byte> pool = Create();
        Worker.RunOnce(() => s_pasts[past](pool, length));
        pool.Trim();
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
        return pool;
    }

    /// <summary>Returns what the depot keeps afterwards, and the room of the thread.</summary>
    private static (long Depot, long Slots) GoDeep(BufferPool<byte> pool, int length)
    {
        (long, long) kept = default;
        Worker.RunOnce(() =>
        {
            for (int round = 0; round < 200; round++)
            {
                ReturnMany(pool, RentMany(pool, length, 8));
            }

            ArrayClass pooled = pool.Core.ClassOf(pool.Core.IndexOf(length));
            kept = (pooled.Depot.Count, pool.Core.ThreadRoom.Granted);
        });
        return kept;
    }

    /// <summary>Returns the room of threads that each took and returned many, and whose buffers then went to the next.</summary>
    private static long GrantToMany(BufferPool<byte> pool, int length)
    {
        Worker[] workers = [.. Enumerable.Range(0, 6).Select(static _ => new Worker())];
        foreach (Worker worker in workers)
        {
            worker.Run(() =>
            {
                for (int round = 0; round < 100; round++)
                {
                    ReturnMany(pool, RentMany(pool, length, 24));
                }
            });
            byte[][] handed = worker.Run(() => RentMany(pool, length, 24));
            ReturnMany(pool, handed);
        }

        long granted = pool.Core.ThreadRoom.Granted;
        Array.ForEach(workers, static worker => worker.Dispose());
        return granted;
    }

    private static void ReturnForeign(BufferPool<byte> pool, int length)
    {
        int classLength = pool.Core.LengthOf(pool.Core.IndexOf(length));
        for (int i = 0; i < Many; i++)
        {
            pool.Return(new byte[classLength]);
        }
    }

    /// <summary>An unchecked pool notices some of it: at the second return, or when an array that it handed out twice comes back.</summary>
    private static void ReturnTwice(BufferPool<byte> pool, int length)
    {
        for (int round = 0; round < Many / 4; round++)
        {
            byte[][] rented = RentMany(pool, length, 3);
            try
            {
                ReturnMany(pool, rented);
                ReturnMany(pool, rented);
            }
            catch (InvalidOperationException)
            {
            }
        }
    }

    private static byte[][] RentMany(BufferPool<byte> pool, int length, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => pool.Rent(length))];

    private static void ReturnMany(BufferPool<byte> pool, byte[][] rented) => Array.ForEach(rented, array => pool.Return(array));
}
