using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Requests that block their thread.</summary>
public sealed class BlockedBudgetTests
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(10);

    private readonly BufferBudget _all = new(100, "all");

    [Fact]
    public void A_request_that_fits_blocks_nobody()
    {
        Assert.True(_all.TryTake(60, s_long));
        Assert.True(_all.TryTake(0, s_long));
        Assert.True(_all.TryTake(40, TimeSpan.Zero));
        Assert.False(_all.TryTake(1, TimeSpan.Zero));
        Assert.False(_all.TryTake(101, s_long));
        Assert.False(_all.CreateChild(1_000).TryTake(101, Timeout.InfiniteTimeSpan));
        Assert.Equal((100, 0, 2), (_all.InUse, _all.Waiting, _all.Refused));
    }

    [Fact]
    public async Task Threads_and_tasks_are_served_in_the_order_of_their_arrival()
    {
        _all.Take(100);
        Blocked first = new(_all, 50, s_long);
        AwaitWaiting(1);
        Task second = _all.TakeAsync(10).AsTask();
        Blocked third = new(_all, 30, Timeout.InfiniteTimeSpan);
        AwaitWaiting(3);
        Assert.False(_all.TryTake(1));
        _all.Return(40);
        AwaitWaiting(3);
        _all.Return(10);
        Assert.True(first.Join());
        Assert.Equal((2, false, 100), (_all.Waiting, second.IsCompleted, _all.InUse));
        _all.Return(10);
        await second;
        Assert.Equal((1, 100), (_all.Waiting, _all.InUse));
        _all.Return(90);
        Assert.True(third.Join());
        Assert.Equal((0, 40), (_all.Waiting, _all.InUse));
    }

    [Fact]
    public void A_request_whose_time_is_over_takes_nothing_and_lets_those_behind_it_go_on()
    {
        _all.Take(50);
        Blocked first = new(_all, 60, TimeSpan.FromMilliseconds(50));
        AwaitWaiting(1);
        Blocked second = new(_all, 50, s_long);
        Assert.False(first.Join());
        Assert.True(second.Join());
        Assert.Equal((100, 0, 1), (_all.InUse, _all.Waiting, _all.Refused));
        Assert.False(_all.TryTake(1, TimeSpan.FromTicks(1)));
        Assert.True(_all.LongestWait > TimeSpan.Zero);
    }

    [Fact]
    public void A_cancelled_or_interrupted_request_takes_nothing()
    {
        _all.Take(100);
        using CancellationTokenSource source = new();
        Blocked cancelled = new(_all, 60, s_long, source.Token);
        AwaitWaiting(1);
        Blocked interrupted = new(_all, 50, s_long);
        AwaitWaiting(2);
        interrupted.Interrupt();
        Assert.Throws<ThreadInterruptedException>(() => interrupted.Join());
        source.Cancel();
        OperationCanceledException e = Assert.ThrowsAny<OperationCanceledException>(() => cancelled.Join());
        Assert.Equal(source.Token, e.CancellationToken);
        Assert.Throws<OperationCanceledException>(() => _all.TryTake(0, s_long, source.Token));
        Assert.Equal((100, 0), (_all.InUse, _all.Waiting));
    }

    [Fact]
    public void Bad_arguments_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>("bytes", () => _all.TryTake(-1, s_long));
        foreach (TimeSpan wrong in (TimeSpan[])[TimeSpan.FromSeconds(-2), TimeSpan.FromDays(25), TimeSpan.MinValue])
        {
            Assert.Throws<ArgumentOutOfRangeException>("timeout", () => _all.TryTake(1, wrong));
            BufferPoolOptions options = new() { Budget = _all, BudgetTimeout = wrong };
            ArgumentException e = Assert.Throws<ArgumentOutOfRangeException>("options", () => BufferPool<byte>.Create(options));
            Assert.Contains("BudgetTimeout", e.Message, StringComparison.Ordinal);
        }

        Func<object>[] withoutBudget =
        [
            () => BufferPool<byte>.Create(new BufferPoolOptions { BudgetTimeout = s_long }),
            () => new NativeHeap(new NativeHeapOptions { BudgetTimeout = s_long }),
            () => new PooledMemoryStream(new PooledMemoryStreamOptions { BudgetTimeout = s_long }),
        ];
        Assert.All(withoutBudget, static create => Assert.Contains(
            "BudgetTimeout", Assert.Throws<ArgumentException>("options", create).Message, StringComparison.Ordinal));
    }

    /// <summary>
    /// Grants meet ends of waits in the same moment: who says that it took has taken, and who throws has not. The end of the token, of the
    /// time and an interrupt take turns.
    /// </summary>
    [Fact]
    public void Of_a_grant_and_an_end_in_the_same_moment_one_happens()
    {
        int granted = 0;
        int ended = 0;
        for (int round = 0; round < StressLength.Times(150, 600); round++)
        {
            _all.Take(100);
            using CancellationTokenSource source = new();
            TimeSpan timeout = round % 3 == 2 ? TimeSpan.FromMilliseconds(1) : s_long;
            Blocked request = new(_all, 70, timeout, source.Token);
            if (timeout == s_long)
            {
                AwaitWaiting(1);
            }

            Action end = round % 3 == 0 ? source.Cancel : round % 3 == 1 ? request.Interrupt : () => Thread.Sleep(0);
            Parallel.Invoke(() => _all.Return(100), end);
            bool isGranted;
            try
            {
                isGranted = request.Join();
            }
            catch (Exception e) when (e is OperationCanceledException or ThreadInterruptedException)
            {
                isGranted = false;
            }

            granted += isGranted ? 1 : 0;
            ended += isGranted ? 0 : 1;
            Assert.Equal((isGranted ? 70 : 0, 0), (_all.InUse, _all.Waiting));
            _all.Return(_all.InUse);
        }

        Assert.True(granted > 0, $"{granted} granted, {ended} ended");
    }

    [Fact]
    public void Threads_that_block_for_a_tree_of_budgets_all_go_on()
    {
        BufferBudget[] budgets = [_all, _all.CreateChild(60), _all.CreateChild(80)];
        StressThreads stress = new(4, StressLength.Duration / 2);
        stress.Run(
            Random.Shared.Next(),
            (random, _) =>
            {
                while (!stress.IsOver)
                {
                    BufferBudget budget = budgets[random.Next(budgets.Length)];
                    long bytes = random.Next(1, (int)budget.Limit);
                    Assert.True(budget.TryTake(bytes, s_long));
                    Assert.InRange(_all.InUse, bytes, 100);
                    budget.Return(bytes);
                }
            },
            [() => Assert.InRange(_all.InUse, 0, 100)],
            () => Assert.Equal((0, 0, 0), (_all.InUse, _all.Waiting, _all.Refused)));
    }

    private void AwaitWaiting(int count) => Eventually.True(() => _all.Waiting == count, $"{count} requests wait");

    /// <summary>A request on a thread of its own.</summary>
    private sealed class Blocked
    {
        private readonly Thread _thread;
        private bool _isTaken;
        private Exception? _failure;

        internal Blocked(BufferBudget budget, long bytes, TimeSpan timeout, CancellationToken cancellation = default)
        {
            _thread = new Thread(() =>
            {
                try
                {
                    _isTaken = budget.TryTake(bytes, timeout, cancellation);
                    Thread.Sleep(0);
                }
                catch (Exception e) when (e is OperationCanceledException or ThreadInterruptedException)
                {
                    _failure = _isTaken ? null : e;
                }
            });
            _thread.Start();
        }

        internal void Interrupt() => _thread.Interrupt();

        internal bool Join()
        {
            _thread.Join();
            return _failure is null ? _isTaken : throw _failure;
        }
    }
}
