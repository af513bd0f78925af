namespace Tarn.Tests.Primitives;

public sealed class MemoryBudgetTests
{
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
    public void A_limit_lowered_below_what_is_granted_takes_nothing_back_and_grants_nothing()
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
}
