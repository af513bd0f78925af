namespace Tarn.Tests.Diagnostics.Sampling;

public class SampleThrottleTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(0.4);

    private readonly StoppedTime _time = new();

    [Fact]
    public void Samples_that_take_too_much_time_raise_the_mean_which_then_falls_again()
    {
        using SampleThrottle throttle = new(interval: 1000, isLimited: true, _time);
        throttle.Spend(TimeSpan.FromMicroseconds(900));
        Assert.Equal(1000, throttle.Mean);
        throttle.Spend(TimeSpan.FromMicroseconds(200));
        throttle.Spend(TimeSpan.FromSeconds(1));
        Assert.Equal((4000, 4000), (throttle.Mean, throttle.Largest));

        _time.Pass(s_tick);
        Assert.Equal(2000, throttle.Mean);
        _time.Pass(s_tick);
        Assert.Equal((1000, 4000), (throttle.Mean, throttle.Largest));
        Assert.False(_time.Ticks);
    }

    [Fact]
    public void Samples_that_take_a_hundredth_of_the_time_leave_the_mean_as_it_is()
    {
        using SampleThrottle throttle = new(interval: 1000, isLimited: true, _time);
        throttle.Spend(TimeSpan.FromMilliseconds(1));
        for (int i = 0; i < 50; i++)
        {
            _time.Pass(TimeSpan.FromSeconds(0.1));
            throttle.Spend(TimeSpan.FromMilliseconds(1));
        }

        Assert.Equal(2000, throttle.Mean);
    }

    [Fact]
    public void Without_a_limit_the_mean_stays()
    {
        using SampleThrottle throttle = new(interval: 1000, isLimited: false, _time);
        throttle.Spend(TimeSpan.FromSeconds(1));

        Assert.Equal(1000, throttle.Mean);
        Assert.False(_time.Ticks);
    }

    private sealed class StoppedTime : TimeProvider
    {
        private readonly List<Ticking> _timers = [];
        private long _now;

        internal bool Ticks => _timers.Count > 0;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _now;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Ticking timer = new(this, () => callback(state), period);
            _timers.Add(timer);
            return timer;
        }

        /// <summary>Lets time pass, in which each timer with a period as long rings once.</summary>
        internal void Pass(TimeSpan time)
        {
            _now += time.Ticks;
            _timers.Where(timer => timer.Period <= time).ToList().ForEach(static timer => timer.Ring());
        }

        private sealed class Ticking(StoppedTime owner, Action ring, TimeSpan period) : ITimer
        {
            internal TimeSpan Period => period;

            internal void Ring() => ring();

            public bool Change(TimeSpan dueTime, TimeSpan period) => throw new NotSupportedException();

            public void Dispose() => owner._timers.Remove(this);

            public ValueTask DisposeAsync()
            {
                Dispose();
                return ValueTask.CompletedTask;
            }
        }
    }
}
