using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Pools whose arrays are taken from a budget.</summary>
public sealed class BudgetedPoolTests
{
    private const int Limit = 64 << 10;

    private readonly BufferBudget _budget = new(Limit, "pools");

    public static TheoryData<BufferChecks, BufferClearing> Kinds => new()
    {
        { BufferChecks.None, BufferClearing.OnRequest },
        { BufferChecks.None, BufferClearing.OnReturn },
        { BufferChecks.Returns, BufferClearing.OnRequest },
        { BufferChecks.All, BufferClearing.OnRequest },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void The_bytes_in_use_are_those_of_the_arrays_and_never_above_the_limit(BufferChecks checks, BufferClearing clearing)
    {
        BufferPool<int> pool = Create(checks, clearing);
        Random random = new(3);
        List<int[]> rented = [];
        int refused = 0;
        for (int step = 0; step < 5_000; step++)
        {
            try
            {
                if (random.Next(2) == 0)
                {
                    int length = random.Next(1, 4_000);
                    rented.Add(random.Next(4) == 0 ? pool.RentExact(length) : pool.Rent(length));
                }
                else if (rented.Count > 0)
                {
                    int index = random.Next(rented.Count);
                    pool.Return(rented[index]);
                    rented.RemoveAt(index);
                }
            }
            catch (BufferBudgetExceededException)
            {
                refused++;
            }

            Assert.Equal(rented.Sum(static array => (long)array.Length * sizeof(int)), _budget.InUse);
            Assert.Equal(_budget.InUse, pool.GetStatistics().InUseBytes);
        }

        Assert.True(refused > 0);
        rented.ForEach(array => pool.Return(array));
        Assert.Equal((0, 0), (_budget.InUse, pool.GetStatistics().InUseBytes));
        Assert.Equal(pool.GetStatistics().Rented, pool.GetStatistics().Returned);
    }

    [Fact]
    public void Every_way_to_a_buffer_takes_its_bytes_and_returns_them()
    {
        BufferPool<int> pool = Create(BufferChecks.None, BufferClearing.OnRequest);
        pool.Return(pool.Rent(10));
        using (BufferLease<int> lease = pool.Lease(1_000))
        {
            Assert.InRange(_budget.InUse, 4_000, 5_000);
        }

        Assert.Equal(0, _budget.InUse);
        Func<IMemoryOwner<int>>[] owners = [() => pool.LeaseMemory(1_000), () => pool.AsMemoryPool().Rent(1_000)];
        foreach (Func<IMemoryOwner<int>> rent in owners)
        {
            using (rent())
            {
                Assert.InRange(_budget.InUse, 4_000, 5_000);
            }

            Assert.Equal(0, _budget.InUse);
        }

        using CountedBuffer<int> shared = CountedBuffer<int>.Rent(pool, 1_000);
        Assert.InRange(_budget.InUse, 4_000, 5_000);
        Assert.Throws<BufferBudgetExceededException>(() => pool.Rent(Limit));
        Assert.Throws<BufferBudgetExceededException>(() => pool.RentExact(Limit));
        Assert.Throws<BufferBudgetExceededException>(() => pool.LeaseMemory(Limit));
        Assert.Equal(4, pool.GetStatistics().Returned);
    }

    [Fact]
    public void Threads_together_stay_within_the_limit()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Budget = _budget, Checks = BufferChecks.None });
        StressThreads stress = new(4, StressLength.Duration / 2);
        stress.Run(
            Random.Shared.Next(),
            (random, _) =>
            {
                while (!stress.IsOver)
                {
                    try
                    {
                        byte[] array = pool.Rent(random.Next(1, Limit / 2));
                        Assert.InRange(_budget.InUse, array.Length, Limit);
                        pool.Return(array);
                    }
                    catch (BufferBudgetExceededException e)
                    {
                        Assert.Equal("pools", e.BudgetName);
                    }
                }
            },
            [() => Assert.InRange(_budget.InUse, 0, Limit)],
            () => Assert.Equal((0, 0), (_budget.InUse, pool.GetStatistics().InUseBytes)));
    }

    private BufferPool<int> Create(BufferChecks checks, BufferClearing clearing) =>
        BufferPool<int>.Create(new BufferPoolOptions { Budget = _budget, Checks = checks, Clearing = clearing });
}
