using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>While a pool starts the timer, which may call the system, no lock is held that other threads want.</summary>
public sealed class UnlockedWakeTests
{
    private const int Length = 1000;

    /// <summary>It only keeps a failing test from hanging.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.UseAfterReturn)]
    public void No_lock_is_held_that_a_caller_wants(BufferChecks checks)
    {
        VisitedTime time = new();
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Checks = checks,
            Clock = new TrimClock(time, static () => false, followsCollections: false),
        });
        int visits = 0;
        bool hasWaited = false;
        time.Visitor = () =>
        {
            Thread visit = new(() => RentAndReturn(pool)) { IsBackground = true };
            visit.Start();
            visits++;
            hasWaited |= !visit.Join(s_limit);
        };

        // A thread that calls for the first time has no buffers of its own: it works with what all threads share.
        Worker.RunOnce(() => RentAndReturn(pool));

        Assert.Equal((1, false), (visits, hasWaited));
        pool.Core.Validate();
    }

    private static void RentAndReturn(BufferPool<byte> pool) => pool.Return(pool.Rent(Length));

    /// <summary>Time whose timers never fire, and let a visitor act while they are started.</summary>
    private sealed class VisitedTime : TimeProvider
    {
        internal Action? Visitor { get; set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new VisitedTimer(this);

        private sealed class VisitedTimer(VisitedTime time) : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period)
            {
                time.Visitor?.Invoke();
                return true;
            }

            public void Dispose()
            {
            }

            public ValueTask DisposeAsync() => default;
        }
    }
}
