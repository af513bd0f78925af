using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

public sealed class TrimScheduleTests
{
    private readonly ManualClock _clock = new();

    [Theory]
    [InlineData(8, 2)]
    [InlineData(60, 15)]
    [InlineData(3600, 15)]
    public void Ticks_come_every_quarter_of_the_idle_timeout_and_no_rarer_than_every_15_seconds(int idleTimeout, int period)
    {
        ScheduledSource source = new(_clock, TimeSpan.FromSeconds(idleTimeout));
        source.Add(1);
        _clock.Advance(TimeSpan.FromSeconds(period) * 3);
        Assert.Equal(3, source.Ticks);
    }

    [Fact]
    public void Patience_is_the_idle_timeout_or_one_period_while_memory_is_scarce()
    {
        TrimSchedule schedule = new ScheduledSource(_clock, TimeSpan.FromSeconds(20)).Schedule;
        Assert.Equal(TimeSpan.FromSeconds(20), schedule.PatienceAt(new TrimOccasion(default, MemoryIsScarce: false)));
        Assert.Equal(TimeSpan.FromSeconds(5), schedule.PatienceAt(new TrimOccasion(default, MemoryIsScarce: true)));
    }

    [Fact]
    public void Without_a_timeout_memory_ages_only_while_it_is_scarce()
    {
        TrimSchedule schedule = new ScheduledSource(_clock, Timeout.InfiniteTimeSpan).Schedule;
        Assert.Equal(TimeSpan.MaxValue, schedule.IdleTimeout);
        Assert.Equal(TimeSpan.MaxValue, schedule.PatienceAt(new TrimOccasion(default, MemoryIsScarce: false)));
        Assert.Equal(TimeSpan.FromSeconds(15), schedule.PatienceAt(new TrimOccasion(default, MemoryIsScarce: true)));
    }

    [Fact]
    public void A_source_is_awake_while_it_keeps_memory()
    {
        ScheduledSource source = Create();
        Assert.False(source.Schedule.IsAwake);
        for (int round = 1; round <= 3; round++)
        {
            source.Add(1);
            source.Add(1);
            Assert.True(source.Schedule.IsAwake);
            source.Remove(1);
            _clock.Tick();
            Assert.True(source.Schedule.IsAwake);
            source.Remove(1);
            _clock.Tick();
            Assert.False(source.Schedule.IsAwake);
            Assert.False(_clock.Trim.IsRunning);
            Assert.Equal(2 * round, source.Ticks);
        }
    }

    [Fact]
    public void Memory_that_is_kept_just_before_the_source_sleeps_keeps_it_awake()
    {
        ScheduledSource source = Create();
        source.OnceBeforeSleep = () => source.Add(1);
        source.Schedule.Wake();
        _clock.Tick();
        AssertTickedOn(source);
    }

    [Fact]
    public void Keeping_memory_while_the_source_is_asleep_wakes_it_once()
    {
        ScheduledSource source = Create();
        source.OnceAsleep = () => source.Add(1);
        source.Schedule.Wake();
        _clock.Tick();
        AssertTickedOn(source);
    }

    [Fact]
    public void Whatever_threads_do_memory_is_not_kept_asleep()
    {
        ScheduledSource source = Create();
        for (int round = 0; round < 50; round++)
        {
            Thread[] users = [new(() => Use(source)), new(() => Use(source))];
            Array.ForEach(users, static user => user.Start());
            while (Array.Exists(users, static user => user.IsAlive))
            {
                _clock.Tick();
            }

            Assert.True(source.Schedule.IsAwake);
            Assert.True(_clock.Trim.IsRunning);
            source.Remove(users.Length);
            _clock.Tick();
            Assert.False(source.Schedule.IsAwake);
        }

        static void Use(ScheduledSource source)
        {
            for (int i = 0; i < 1000; i++)
            {
                source.Add(1);
                source.Remove(1);
            }

            source.Add(1);
        }
    }

    /// <summary>It is awake, and in the clock's list once.</summary>
    private void AssertTickedOn(ScheduledSource source)
    {
        Assert.True(source.Schedule.IsAwake);
        int before = source.Ticks;
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(before + 1, source.Ticks);
        source.Remove(1);
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.False(_clock.Trim.IsRunning);
    }

    private ScheduledSource Create() => new(_clock, TimeSpan.FromSeconds(20));
}
