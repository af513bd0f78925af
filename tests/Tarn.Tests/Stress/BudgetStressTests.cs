using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>
/// Tasks that take, wait, cancel and time out at once. The sum of what they hold is never above a limit, and nothing is lost: in the end
/// all bytes are back and nobody waits.
/// </summary>
public sealed class BudgetStressTests
{
    /// <summary>Each task takes its turns at least this often, however busy the machine is.</summary>
    private const int FewestTurns = 16;

    /// <summary>The ways to take that come to an end without a grant.</summary>
    private const int EndingWays = 3;

    private readonly BufferBudget _all = new(1_000, "all");
    private readonly Held _heldByAll = new();
    private int _granted;
    private int _ended;

    [Theory]
    [InlineData(4)]
    [InlineData(100)]
    public async Task Grants_cancellations_and_timeouts_lose_nothing(int tasks)
    {
        (BufferBudget Budget, Held Held)[] tenants =
            [.. Enumerable.Range(0, 3).Select(i => (_all.CreateChild(300 + (i * 200)), new Held()))];
        using CancellationTokenSource end = new(StressLength.Duration);
        int seed = Random.Shared.Next();
        await Eventually.AllEnd(
            Enumerable.Range(0, tasks).Select(
                i => Task.Run(() => LiveAsync(new Random(seed + i), tenants[i % tenants.Length], end.Token))),
            $"all tasks end, seed {seed}");

        Assert.Equal((0, 0), (_all.InUse, _all.Waiting));
        Assert.All(tenants, static tenant => Assert.Equal((0, 0), (tenant.Budget.InUse, tenant.Budget.Waiting)));
        Assert.True(_granted > 0 && _ended > 0, $"{_granted} granted, {_ended} ended, seed {seed}");
    }

    private async Task LiveAsync(Random random, (BufferBudget Budget, Held Held) tenant, CancellationToken end)
    {
        for (int turn = 0; turn < FewestTurns || !end.IsCancellationRequested; turn++)
        {
            long bytes = random.Next(20) == 0 ? tenant.Budget.Limit : random.Next(200);
            if (!await TryTakeAsync(random, random.Next(EndingWays + 1), tenant.Budget, bytes))
            {
                Interlocked.Increment(ref _ended);
                continue;
            }

            Interlocked.Increment(ref _granted);
            tenant.Held.Add(bytes, tenant.Budget);
            _heldByAll.Add(bytes, _all);
            if (random.Next(2) == 0)
            {
                await Task.Yield();
            }

            // While it has some, it cannot get all.
            if (bytes > 0 && turn % 8 == 0)
            {
                Assert.False(await TryTakeAsync(random, turn / 8 % EndingWays, tenant.Budget, tenant.Budget.Limit));
                Interlocked.Increment(ref _ended);
            }

            _heldByAll.Add(-bytes, _all);
            tenant.Held.Add(-bytes, tenant.Budget);
            tenant.Budget.Return(bytes);
        }
    }

    private static async Task<bool> TryTakeAsync(Random random, int way, BufferBudget budget, long bytes)
    {
        switch (way)
        {
            case 0:
                return budget.TryTake(bytes);
            case 1:
                using (CancellationTokenSource source = new())
                {
                    Task taking = budget.TakeAsync(bytes, source.Token).AsTask();
                    if (random.Next(2) == 0)
                    {
                        await Task.Yield();
                    }

                    await source.CancelAsync();
                    return await SucceedsAsync(taking);
                }

            case 2:
                return await SucceedsAsync(budget.TakeAsync(bytes, TimeSpan.FromMilliseconds(random.Next(2))).AsTask());
            default:
                await budget.TakeAsync(bytes);
                return true;
        }
    }

    private static async Task<bool> SucceedsAsync(Task taking)
    {
        await taking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return taking.IsCompletedSuccessfully;
    }

    /// <summary>What the tasks hold, counted after each grant and before each return, so never more than the budget has granted.</summary>
    private sealed class Held
    {
        private long _bytes;

        internal void Add(long bytes, BufferBudget budget)
        {
            Assert.InRange(Interlocked.Add(ref _bytes, bytes), 0, budget.Limit);
            Assert.InRange(budget.InUse, 0, budget.Limit);
        }
    }
}
