namespace Tarn.Tests.Budgets;

/// <summary>What a budget grants, refuses and lets wait.</summary>
public sealed class BufferBudgetTests
{
    private readonly BufferBudget _all = new(100, "all");

    [Fact]
    public void Bytes_are_taken_and_returned_up_to_the_limit()
    {
        Assert.True(_all.TryTake(60));
        Assert.True(_all.TryTake(40));
        Assert.False(_all.TryTake(1));
        Assert.True(_all.TryTake(0));
        _all.Return(1);
        Assert.True(_all.TryTake(1));
        _all.Return(40);
        _all.Return(60);
        Assert.Equal((0, 1, 0), (_all.InUse, _all.Refused, _all.Waiting));
    }

    [Fact]
    public void A_child_is_above_neither_its_own_limit_nor_its_parents()
    {
        BufferBudget tenant = _all.CreateChild(70, "tenant");
        BufferBudget other = _all.CreateChild(70, "other");
        Assert.True(tenant.TryTake(70));
        Assert.False(tenant.TryTake(1));
        Assert.False(other.TryTake(31));
        Assert.True(other.TryTake(30));
        Assert.Equal((100, 70, 30), (_all.InUse, tenant.InUse, other.InUse));
        Assert.Same(_all, other.Parent);
        tenant.Return(70);
        Assert.True(other.TryTake(40));
        other.Return(70);
        Assert.Equal((0, 0, 0), (_all.InUse, tenant.InUse, other.InUse));
    }

    [Fact]
    public void A_refusal_names_the_budget_its_limit_the_bytes_in_use_and_the_request()
    {
        BufferBudget tenant = _all.CreateChild(70);
        tenant.Take(60);
        BufferBudgetExceededException own = Assert.Throws<BufferBudgetExceededException>(() => tenant.Take(11));
        Assert.Equal(("BufferBudget(70)", 70, 60, 11), (own.BudgetName, own.Limit, own.InUse, own.Asked));
        _all.Take(40);
        BufferBudgetExceededException parents = Assert.Throws<BufferBudgetExceededException>(() => tenant.Take(5));
        Assert.Equal(("all", 100, 100, 5), (parents.BudgetName, parents.Limit, parents.InUse, parents.Asked));
        Assert.Contains("all", parents.Message, StringComparison.Ordinal);
        Assert.Contains("100 of 100", parents.Message, StringComparison.Ordinal);
        Assert.Equal(2, tenant.Refused);
    }

    [Fact]
    public async Task A_request_above_a_limit_fails_at_once()
    {
        BufferBudget tenant = _all.CreateChild(1_000);
        BufferBudgetExceededException e = await Assert.ThrowsAsync<BufferBudgetExceededException>(() => tenant.TakeAsync(101).AsTask());
        Assert.Equal(("all", 100, 101), (e.BudgetName, e.Limit, e.Asked));
        Assert.Contains("No request", e.Message, StringComparison.Ordinal);
        Assert.Equal((0, 1), (_all.InUse, tenant.Refused));
    }

    [Fact]
    public async Task Bad_arguments_are_refused()
    {
        Assert.Equal("limit", Assert.Throws<ArgumentOutOfRangeException>(() => new BufferBudget(0)).ParamName);
        Assert.Equal("limit", Assert.Throws<ArgumentOutOfRangeException>(() => _all.CreateChild(-1)).ParamName);
        Assert.Equal("name", Assert.Throws<ArgumentNullException>(() => new BufferBudget(1, null!)).ParamName);
        Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => _all.TryTake(-1)).ParamName);
        Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => _all.Take(-1)).ParamName);
        Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => _all.Return(-1)).ParamName);
        Assert.Equal("bytes", (await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => _all.TakeAsync(-1).AsTask())).ParamName);
        foreach (TimeSpan wrong in (TimeSpan[])[TimeSpan.FromSeconds(-2), TimeSpan.FromDays(50)])
        {
            ArgumentOutOfRangeException e =
                await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => _all.TakeAsync(1, wrong).AsTask());
            Assert.Equal("timeout", e.ParamName);
        }
    }

    [Fact]
    public void More_than_was_taken_cannot_be_returned()
    {
        BufferBudget tenant = _all.CreateChild(70, "tenant");
        _all.Take(50);
        tenant.Take(10);
        Assert.Contains("tenant", Assert.Throws<InvalidOperationException>(() => tenant.Return(11)).Message, StringComparison.Ordinal);
        Assert.Equal((60, 10), (_all.InUse, tenant.InUse));
    }

    [Fact]
    public async Task Requests_wait_in_order_and_none_passes_another()
    {
        _all.Take(90);
        Task large = _all.TakeAsync(50).AsTask();
        Task small = _all.TakeAsync(10).AsTask();
        Assert.False(_all.TryTake(10));
        Assert.Throws<BufferBudgetExceededException>(() => _all.Take(10));
        Assert.Equal((2, false, false), (_all.Waiting, large.IsCompleted, small.IsCompleted));
        _all.Return(30);
        Assert.Equal((2, false, false), (_all.Waiting, large.IsCompleted, small.IsCompleted));
        _all.Return(10);
        await large;
        Assert.Equal((1, false, 100), (_all.Waiting, small.IsCompleted, _all.InUse));
        _all.Return(50);
        await small;
        Assert.Equal((0, 60), (_all.Waiting, _all.InUse));
        Assert.True(_all.LongestWait > TimeSpan.Zero);
    }

    [Fact]
    public async Task A_child_at_its_own_limit_does_not_hold_up_its_siblings_and_one_that_waits_for_the_parent_does()
    {
        BufferBudget tenant = _all.CreateChild(50, "tenant");
        BufferBudget other = _all.CreateChild(80, "other");
        tenant.Take(50);
        Task own = tenant.TakeAsync(40).AsTask();
        Assert.True(other.TryTake(50));

        // The tenant has room now, the parent has not: the request reserves its bytes below and waits there, and nothing passes it.
        tenant.Return(20);
        _all.Take(20);
        tenant.Return(10);
        Assert.False(own.IsCompleted);
        Assert.Equal((50 + 20 + 20, 20), (_all.InUse, tenant.InUse));
        tenant.Return(10);
        Assert.Equal((50 + 20 + 10, 50), (_all.InUse, tenant.InUse));
        Assert.False(other.TryTake(1));
        Assert.False(own.IsCompleted);
        other.Return(20);
        await own;
        Assert.Equal((100, 50, 30), (_all.InUse, tenant.InUse, other.InUse));
    }

    [Fact]
    public async Task A_cancelled_request_takes_nothing_and_lets_those_behind_it_go_on()
    {
        BufferBudget tenant = _all.CreateChild(60, "tenant");
        _all.Take(50);
        using CancellationTokenSource source = new();
        Task first = tenant.TakeAsync(60, source.Token).AsTask();
        Task second = tenant.TakeAsync(30).AsTask();
        Task third = _all.TakeAsync(20).AsTask();
        Assert.Equal((60, 2, 1), (tenant.InUse, tenant.Waiting, _all.Waiting));
        await source.CancelAsync();
        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        Assert.Equal(source.Token, e.CancellationToken);
        await second;
        await third;
        Assert.Equal((30, 100, 0, 0), (tenant.InUse, _all.InUse, tenant.Waiting, _all.Waiting));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _all.TakeAsync(0, source.Token).AsTask());
    }

    [Fact]
    public async Task A_request_that_times_out_takes_nothing()
    {
        _all.Take(100);
        BufferBudget tenant = _all.CreateChild(60, "tenant");
        Task other = _all.CreateChild(60, "other").TakeAsync(5).AsTask();
        BufferBudgetExceededException e = await Assert.ThrowsAsync<BufferBudgetExceededException>(
            () => tenant.TakeAsync(7, TimeSpan.FromMilliseconds(1)).AsTask());
        Assert.Equal(("all", 100L, 100L, 7L), (e.BudgetName, e.Limit, e.InUse, e.Asked));
        Assert.Contains("100 of 100 bytes are in use, 1 requests wait.", e.Message, StringComparison.Ordinal);
        Assert.Contains("The call waited 00:00:00.0010000 for them.", e.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<BufferBudgetExceededException>(() => _all.TakeAsync(7, TimeSpan.Zero).AsTask());
        Assert.Equal((0, 100, 1, 1), (_all.Waiting, _all.InUse, _all.Refused, tenant.Refused));
        _all.Return(5);
        await other;
        await _all.TakeAsync(0, TimeSpan.Zero);
    }

    [Fact]
    public async Task Ten_thousand_requests_are_granted_in_order()
    {
        const int count = 10_000;
        _all.Take(100);
        Task[] requests = [.. Enumerable.Range(0, count).Select(i => _all.TakeAsync(1 + (i % 100)).AsTask())];
        int granted = 0;
        long inUse = 100;
        while (granted < count)
        {
            _all.Return(inUse);
            inUse = 0;
            int before = granted;
            while (granted < count && inUse + 1 + (granted % 100) <= 100)
            {
                inUse += 1 + (granted % 100);
                await requests[granted++];
            }

            Assert.True(granted > before);
            Assert.Equal((inUse, count - granted), (_all.InUse, _all.Waiting));
            Assert.True(granted == count || !requests[granted].IsCompleted);
        }
    }
}
