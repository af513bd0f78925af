using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

public sealed class TrimClockTests
{
    private readonly ManualClock _clock = new();

    [Fact]
    public void It_ticks_at_the_period_of_the_most_impatient_until_all_are_asleep()
    {
        IdleSource patient = new();
        IdleSource impatient = new();
        _clock.Trim.Wake(patient, TimeSpan.FromSeconds(8));
        _clock.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal(0, patient.Ticks);
        _clock.Trim.Wake(impatient, TimeSpan.FromSeconds(2));
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((5, 5), (patient.Ticks, impatient.Ticks));
        patient.Keeps = false;
        _clock.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal((6, 7), (patient.Ticks, impatient.Ticks));
        impatient.Keeps = false;
        _clock.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((6, 8), (patient.Ticks, impatient.Ticks));
        Assert.False(_clock.Trim.IsRunning);
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
    public void A_full_collection_brings_a_tick_of_its_own()
    {
        IdleSource source = new();
        _clock.Trim.Wake(source, TimeSpan.FromDays(1));
        Eventually.TrueAfterCollections(() => source.Ticks > 0, "a collection ticks");
        GC.KeepAlive(source);
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
