namespace Tarn.Tests.Trimming;

public sealed class ProcessBudgetTests
{
    private const long Limit = 64 << 20;

    private readonly ProcessBudget _process = new(Limit);

    [Fact]
    public void Budgets_with_default_caps_together_get_a_quarter_of_the_memory()
    {
        MemoryBudget[] budgets = [.. Enumerable.Range(0, 10).Select(_ => new MemoryBudget(Limit / 8, _process))];
        long granted = Array.ConvertAll(budgets, static budget => Fill(budget)).Sum();
        Assert.Equal(Limit / 4, granted);
        Assert.Equal(Limit / 4, _process.Drawn);
        Assert.True(budgets[^1].IsRefusedByProcess(1));
        Assert.False(budgets[0].IsRefusedByProcess(1));
    }

    [Fact]
    public void Caps_that_the_user_set_together_get_half_and_leave_the_defaults_a_sixteenth()
    {
        MemoryBudget chosen = new(Limit, _process, isChosen: true);
        MemoryBudget another = new(Limit, _process, isChosen: true);
        Assert.Equal(Limit / 2, Fill(chosen) + Fill(another));
        Assert.Equal(Limit / 16, Fill(new MemoryBudget(Limit, _process)));
        chosen.Release(chosen.Granted);
        chosen.Settle();
        Assert.Equal(Limit / 4, _process.CeilingOfDefaults);
    }

    [Fact]
    public void A_budget_draws_in_steps_and_gives_back_what_it_does_not_need()
    {
        MemoryBudget budget = new(Limit / 8, _process);
        Assert.True(budget.TryReserve(1));
        long step = _process.Drawn;
        Assert.InRange(step, 1 << 12, 1 << 20);
        for (int i = 0; i < 100; i++)
        {
            Assert.True(budget.TryReserve(1));
            Assert.Equal(step, _process.Drawn);
        }

        Assert.True(budget.TryReserve(4 << 20));
        budget.Release(4 << 20);
        budget.Settle();
        Assert.Equal(step + 101, _process.Drawn);
        budget.Settle(keepsStep: false);
        Assert.Equal(101, _process.Drawn);
        budget.Release(101);
        budget.Settle();
        Assert.Equal(0, _process.Drawn);
    }

    [Fact]
    public void Room_that_was_taken_unasked_is_drawn_at_the_next_tick()
    {
        MemoryBudget budget = new(Limit / 8, _process);
        budget.Release(-(1 << 20));
        Assert.Equal(0, _process.Drawn);
        budget.AdjustLimit(default, TimeSpan.FromSeconds(1));
        Assert.Equal(1 << 20, _process.Drawn);
    }

    [Fact]
    public void A_budget_that_ends_gives_its_share_back_and_gets_nothing_more()
    {
        MemoryBudget closed = new(Limit / 8, _process);
        MemoryBudget left = new(Limit / 8, _process);
        Assert.True(closed.TryReserve(1000) && left.TryReserve(1000));
        closed.Close();
        left.Leave();
        Assert.Equal(0, _process.Drawn);
        Assert.False(closed.TryReserve(1) || left.TryReserve(1));
        closed.Settle();
        left.Settle();
        Assert.Equal(0, _process.Drawn);
    }

    [Fact]
    public void The_end_of_a_heap_or_pool_gives_its_share_back()
    {
        TrimClock clock = new(new ManualTime(), static () => false, followsCollections: false, _process);
        unsafe
        {
            NativeHeap heap = new(new NativeHeapOptions { Clock = clock, Checks = BufferChecks.None });
            heap.Free(heap.Allocate(100_000), 100_000);
            Assert.NotEqual(0, _process.Drawn);
            heap.Dispose();
            Assert.Equal(0, _process.Drawn);
        }

        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Clock = clock, Checks = BufferChecks.None });
        pool.Return(pool.Rent(100_000));
        Assert.NotEqual(0, _process.Drawn);
        pool.Core.Retire();
        Assert.Equal(0, _process.Drawn);
    }

    [Fact]
    public void Whatever_threads_do_the_sum_is_kept()
    {
        MemoryBudget[] budgets = [.. Enumerable.Range(0, 6).Select(i => new MemoryBudget(Limit / 8, _process, isChosen: i % 3 == 0))];
        Parallel.For(0, 8, thread =>
        {
            Random random = new(thread);
            for (int i = 0; i < 50_000; i++)
            {
                MemoryBudget budget = budgets[random.Next(budgets.Length)];
                int bytes = random.Next(1, 1 << 20);
                if (budget.TryReserve(bytes))
                {
                    budget.Release(bytes);
                }

                if (random.Next(4) == 0)
                {
                    budget.Settle(keepsStep: random.Next(2) == 0);
                }
            }
        });
        Assert.All(budgets, static budget => Assert.Equal(0, budget.Granted));
        Array.ForEach(budgets, static budget => budget.Settle());
        Assert.Equal(0, _process.Drawn);
    }

    private static long Fill(MemoryBudget budget)
    {
        while (budget.TryReserve(1 << 12))
        {
        }

        return budget.Granted;
    }
}
