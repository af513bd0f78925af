using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

public sealed class TrimClockTests
{
    private readonly ManualClock _clock = new();

    [Fact]
    public void Each_source_is_ticked_at_its_own_pace_whatever_the_others_is()
    {
        IdleSource patient = new();
        IdleSource impatient = new();
        _clock.Trim.Wake(patient, TimeSpan.FromSeconds(8));
        _clock.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal(0, patient.Ticks);
        _clock.Trim.Wake(impatient, TimeSpan.FromSeconds(2));
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((2, 5), (patient.Ticks, impatient.Ticks));
        patient.Keeps = false;
        _clock.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal((3, 9), (patient.Ticks, impatient.Ticks));
        impatient.Keeps = false;
        _clock.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((3, 10), (patient.Ticks, impatient.Ticks));
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void The_timer_slows_down_when_the_most_impatient_sleeps()
    {
        ManualTime time = new();
        TrimClock clock = new(time, static () => false, followsCollections: false);
        IdleSource patient = new();
        IdleSource impatient = new();
        clock.Wake(patient, TimeSpan.FromSeconds(10));
        clock.Wake(impatient, TimeSpan.FromMilliseconds(20));
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((1, 500, 500), (patient.Ticks, impatient.Ticks, time.Fired));

        impatient.Keeps = false;
        time.Advance(TimeSpan.FromSeconds(100));
        Assert.Equal((11, 501), (patient.Ticks, impatient.Ticks));
        Assert.InRange(time.Fired, 511, 512);
    }

    [Fact]
    public void Sources_of_one_period_are_ticked_together()
    {
        ManualTime time = new();
        TrimClock clock = new(time, static () => false, followsCollections: false);
        IdleSource[] sources = [.. Enumerable.Range(0, 100).Select(static _ => new IdleSource())];
        foreach (IdleSource source in sources)
        {
            clock.Wake(source, TimeSpan.FromSeconds(2));
            time.Advance(TimeSpan.FromMilliseconds(1));
        }

        time.Advance(TimeSpan.FromSeconds(20));
        Assert.All(sources, static source => Assert.Equal(10, source.Ticks));
        Assert.Equal(10, time.Fired);
    }

    [Fact]
    public void A_late_timer_does_not_catch_up()
    {
        IdleSource source = new();
        _clock.Trim.Wake(source, TimeSpan.FromSeconds(2));
        _clock.Wait(TimeSpan.FromSeconds(21));
        _clock.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(1, source.Ticks);
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(2, source.Ticks);
    }

    [Fact]
    public void A_pool_with_a_short_timeout_does_not_hurry_the_others_scarcity()
    {
        ManualClock clock = new(followsCollections: false);
        BufferPool<byte> patient = Create(TimeSpan.FromMinutes(1));
        BufferPool<byte> impatient = Create(TimeSpan.FromMilliseconds(80));
        foreach (BufferPool<byte> pool in (BufferPool<byte>[])[patient, impatient])
        {
            byte[][] rented = [.. Enumerable.Range(0, 100).Select(_ => pool.Rent(1000))];
            Array.ForEach(rented, array => pool.Return(array));
        }

        clock.MemoryIsScarce = true;
        clock.Tick();
        long limit = patient.Core.Budget.Limit;
        for (int i = 0; i < 100; i++)
        {
            impatient.Return(impatient.Rent(1000));
            clock.Advance(TimeSpan.FromMilliseconds(20));
        }

        Assert.InRange(limit, (1 << 20) / 16, 1 << 19);
        Assert.Equal(limit, patient.Core.Budget.Limit);

        BufferPool<byte> Create(TimeSpan idleTimeout) => BufferPool<byte>.Create(new BufferPoolOptions
        {
            MaxRetainedBytes = 1 << 20,
            IdleTimeout = idleTimeout,
            Clock = clock.Trim,
            Checks = BufferChecks.None,
        });
    }

    [Fact]
    public void A_source_that_wakes_while_it_falls_asleep_is_ticked_on()
    {
        IdleSource source = new() { Keeps = false };
        source.OnTicked = () =>
        {
            source.OnTicked = null;
            source.Keeps = true;
            _clock.Trim.Wake(source, TimeSpan.FromSeconds(1));
            source.Keeps = false;
        };
        _clock.Trim.Wake(source, TimeSpan.FromSeconds(1));
        _clock.Tick();
        Assert.True(_clock.Trim.IsRunning);
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(2, source.Ticks);
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void A_source_that_has_no_memory_to_trim_is_ticked_on_and_so_are_the_others()
    {
        IdleSource without = new() { Keeps = false };
        IdleSource other = new();
        without.OnTicked = static () => throw new OutOfMemoryException();
        _clock.Trim.Wake(without, TimeSpan.FromSeconds(1));
        _clock.Trim.Wake(other, TimeSpan.FromSeconds(1));

        _clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((3, 3), (without.Ticks, other.Ticks));

        without.OnTicked = null;
        other.Keeps = false;
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void It_keeps_nothing_alive()
    {
        WeakReference source = WakeAndDrop();
        Eventually.TrueAfterCollections(() => !source.IsAlive, "the source is collected");
        _clock.Tick();
        Assert.False(_clock.Trim.IsRunning);

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference WakeAndDrop()
        {
            IdleSource dropped = new();
            _clock.Trim.Wake(dropped, TimeSpan.FromSeconds(1));
            return new WeakReference(dropped);
        }
    }

    [Fact]
    public void A_full_collection_brings_a_tick_of_its_own_while_memory_is_scarce()
    {
        IdleSource source = new();
        _clock.MemoryIsScarce = true;
        _clock.Trim.Wake(source, TimeSpan.FromDays(1));
        Eventually.TrueAfterCollections(() => source.Ticks > 0, "a collection ticks");
        GC.KeepAlive(source);
    }

    [Fact]
    public void A_full_collection_that_finds_memory_hurries_no_source()
    {
        int collections = 0;
        TrimClock clock = new(new ManualTime(), () => ++collections < 0);
        IdleSource source = new();
        clock.Wake(source, TimeSpan.FromDays(1));
        Eventually.TrueAfterCollections(() => Volatile.Read(ref collections) > 2, "the collections are seen");
        Assert.Equal(0, source.Ticks);
        GC.KeepAlive(source);
        GC.KeepAlive(clock);
    }

    [Fact]
    public void A_source_receives_the_time_and_the_load()
    {
        IdleSource source = new();
        _clock.Trim.Wake(source, TimeSpan.FromSeconds(3));
        _clock.MemoryIsScarce = true;
        _clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(new TrimOccasion(TimeSpan.FromSeconds(3), true), source.Last);
    }

    [Fact]
    public void A_source_without_patience_is_not_ticked_without_pause()
    {
        IdleSource source = new();
        _clock.Trim.Wake(source, TimeSpan.FromTicks(1));
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(source.Ticks, 1, 60);
    }
}
