using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

public sealed class MemoryBudgetTests
{
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(2);

    private TimeSpan _now;

    [Fact]
    public void It_grants_up_to_the_limit_and_not_a_byte_more()
    {
        MemoryBudget budget = new(100);
        Assert.True(budget.TryReserve(60));
        Assert.False(budget.TryReserve(41));
        Assert.Equal(60, budget.Granted);
        Assert.True(budget.TryReserve(40));
        Assert.False(budget.TryReserve(1));
        budget.Release(1);
        Assert.True(budget.TryReserve(1));
    }

    [Fact]
    public void A_limit_lowered_below_the_granted_bytes_takes_nothing_back_and_grants_nothing()
    {
        MemoryBudget budget = new(100);
        Assert.True(budget.TryReserve(80));
        budget.Limit = 50;
        Assert.Equal(80, budget.Granted);
        Assert.False(budget.TryReserve(1));
        budget.Release(40);
        Assert.True(budget.TryReserve(10));
        Assert.False(budget.TryReserve(1));
    }

    [Fact]
    public void While_memory_is_scarce_the_limit_halves_with_the_granted_bytes_down_to_a_sixteenth_of_the_cap()
    {
        MemoryBudget budget = new(1600);
        Assert.True(budget.TryReserve(800));
        Assert.Equal(400, AdjustLater(budget, isScarce: true));
        Assert.Equal(400, budget.Limit);
        budget.Release(400);
        Assert.Equal(200, AdjustLater(budget, isScarce: true));
        budget.Release(400);
        Assert.Equal(0, AdjustLater(budget, isScarce: true));
        Assert.Equal((100, 1600), (budget.Limit, budget.Cap));
    }

    [Fact]
    public void The_limit_never_rises_while_memory_is_scarce()
    {
        MemoryBudget budget = new(1600);
        Assert.True(budget.TryReserve(1600));
        budget.Limit = 200;
        Assert.Equal(1400, AdjustLater(budget, isScarce: true));
        Assert.Equal(200, budget.Limit);
    }

    [Theory]
    [InlineData(1600, new long[] { 200, 400, 800, 1600, 1600 })]
    [InlineData(1000, new long[] { 124, 248, 496, 992, 1000 })]
    [InlineData(3, new long[] { 1, 2, 3, 3, 3 })]
    [InlineData(0, new long[] { 0, 0 })]
    public void Afterwards_it_doubles_until_it_is_the_cap_and_nothing_is_to_be_given_up(long cap, long[] limits)
    {
        MemoryBudget budget = new(cap);
        AdjustLater(budget, isScarce: true);
        foreach (long limit in limits)
        {
            Assert.Equal(0, AdjustLater(budget, isScarce: false));
            Assert.Equal(limit, budget.Limit);
        }
    }

    [Fact]
    public void A_restored_limit_is_the_cap()
    {
        MemoryBudget budget = new(1600);
        AdjustLater(budget, isScarce: true);
        budget.RestoreLimit();
        Assert.Equal(1600, budget.Limit);
    }

    [Fact]
    public void Requests_near_the_largest_number_do_not_overflow()
    {
        MemoryBudget budget = new(long.MaxValue);
        Assert.True(budget.TryReserve(long.MaxValue - 1));
        Assert.False(budget.TryReserve(long.MaxValue));
        Assert.True(budget.TryReserve(1));
    }

    [Fact]
    public void Many_threads_together_are_never_granted_more_than_the_limit()
    {
        const int limit = 1000;
        MemoryBudget budget = new(limit);
        long held = 0;
        Parallel.For(0, 8, thread =>
        {
            Random random = new(thread);
            for (int i = 0; i < 50_000; i++)
            {
                int bytes = random.Next(1, 400);
                if (budget.TryReserve(bytes))
                {
                    Assert.InRange(Interlocked.Add(ref held, bytes), 1, limit);
                    Interlocked.Add(ref held, -bytes);
                    budget.Release(bytes);
                }
            }
        });
        Assert.Equal(0, budget.Granted);
    }

    [Fact]
    public void However_often_it_is_adjusted_scarcity_cuts_the_limit_once_in_a_period()
    {
        MemoryBudget budget = new(1600);
        Assert.True(budget.TryReserve(1600));
        for (int i = 0; i < 20; i++)
        {
            budget.AdjustLimit(new TrimOccasion(_now += s_period / 100, MemoryIsScarce: true), s_period);
            budget.Release(budget.Granted - budget.Limit);
            Assert.Equal(800, budget.Limit);
        }

        AdjustLater(budget, isScarce: true);
        Assert.Equal(400, budget.Limit);
        for (int i = 0; i < 20; i++)
        {
            budget.AdjustLimit(new TrimOccasion(_now += s_period / 100, MemoryIsScarce: false), s_period);
            Assert.Equal(800, budget.Limit);
        }
    }

    [Fact]
    public void A_closed_budget_grants_nothing_and_stays_closed()
    {
        MemoryBudget budget = new(1000);
        Assert.True(budget.TryReserve(100));
        budget.Close();
        Assert.Equal(100, AdjustLater(budget, isScarce: true));
        Assert.Equal(0, AdjustLater(budget, isScarce: false));
        budget.RestoreLimit();

        Assert.False(budget.TryReserve(1));
        budget.Release(100);
        Assert.False(budget.TryReserve(1));
        Assert.Equal(0, budget.Granted);
    }

    /// <summary>A pool's finalizer closes its budget while a tick of the clock still adjusts it.</summary>
    [Fact]
    public void A_budget_that_is_closed_while_its_limit_is_adjusted_stays_closed()
    {
        MemoryBudget current = new(1000);
        MemoryBudget? adjusted = null;
        bool isOver = false;
        Thread ticks = new(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                MemoryBudget budget = Volatile.Read(ref current);
                budget.AdjustLimit(new TrimOccasion(default, MemoryIsScarce: true), TimeSpan.Zero);
                budget.AdjustLimit(new TrimOccasion(default, MemoryIsScarce: false), TimeSpan.Zero);
                budget.RestoreLimit();
                Volatile.Write(ref adjusted, budget);
            }
        });
        ticks.Start();
        int reopened = 0;
        int rounds = 0;
        Stopwatch elapsed = Stopwatch.StartNew();
        do
        {
            MemoryBudget closed = current;
            SpinWait.SpinUntil(() => Volatile.Read(ref adjusted) == closed);
            Thread.SpinWait(rounds++ & 31);
            closed.Close();
            Volatile.Write(ref current, new MemoryBudget(1000));

            // Once the next one is adjusted, this one no longer is.
            SpinWait.SpinUntil(() => Volatile.Read(ref adjusted) == current);
            reopened += closed.TryReserve(1) ? 1 : 0;
        }
        while (elapsed.Elapsed < StressLength.Duration && reopened == 0);

        Volatile.Write(ref isOver, true);
        ticks.Join();
        Assert.Equal(0, reopened);
    }

    private long AdjustLater(MemoryBudget budget, bool isScarce) =>
        budget.AdjustLimit(new TrimOccasion(_now += s_period, isScarce), s_period);
}
