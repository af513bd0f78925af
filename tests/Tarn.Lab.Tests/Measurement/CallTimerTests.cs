using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class CallTimerTests
{
    private static readonly long s_slow = Stopwatch.Frequency / 1_000;
    private ThreadSwitches _switches = new(10, 20);
    private int _questions;

    [Fact]
    public void A_slow_call_counts_as_preempted_only_if_preemptions_alone_were_added()
    {
        CallTimer timer = Begin(out long now);

        Note(timer, ref now, s_slow);
        _switches = new(10, 21);
        Note(timer, ref now, s_slow);
        _switches = new(11, 22);
        Note(timer, ref now, s_slow);
        _switches = new(12, 22);
        Note(timer, ref now, s_slow);

        Assert.Equal((3, 1), (timer.Times[0].Kept.Count, timer.Times[0].Preempted.Count));
        Assert.Equal(4, timer.Times[0].All().Count);
    }

    [Fact]
    public void A_preemption_between_two_calls_is_not_the_next_slow_calls()
    {
        CallTimer timer = Begin(out long now);
        _switches = new(10, 21);

        now += s_slow;
        Note(timer, ref now, 1);
        Note(timer, ref now, s_slow);

        Assert.Equal((2, 0), (timer.Times[0].Kept.Count, timer.Times[0].Preempted.Count));
    }

    [Fact]
    public void Fast_calls_ask_nothing_and_kinds_are_apart()
    {
        CallTimer timer = Begin(out long now);
        int before = _questions;

        for (int i = 0; i < 100; i++)
        {
            Note(timer, ref now, 5, kind: i % 2);
        }

        Assert.Equal(before, _questions);
        Assert.Equal([50, 50], timer.Times.Select(times => (int)times.Kept.Count));
        Assert.Equal(5, timer.Times[1].Kept.Longest);
        timer.Begin();
        Assert.Equal(0, timer.Times[1].All().Count);
    }

    [Fact]
    public void Rounds_keep_the_time_that_one_call_in_a_thousand_exceeds_and_all_times()
    {
        CallRounds[] rounds = [new("ours", "Rent"), new("peer", "Rent")];
        foreach (CallRounds one in rounds)
        {
            for (int round = 1; round <= 3; round++)
            {
                var times = new CallTimes();
                for (int call = 0; call < 1_000; call++)
                {
                    times.Kept.Record(call < 998 ? 1 : (one.Contender == "ours" ? 10 : 40) * round);
                }

                times.Preempted.Record(1_000_000);
                one.Add(times);
            }
        }

        RoundSamples late = CallRounds.LateOf(rounds[0], rounds[1]);

        Assert.Equal(["ours", "peer"], late.Contenders);
        Assert.Equal(3, late.Rounds);
        Assert.Equal(20 * Clock.Nanoseconds(0, 1), late.Median(0), 3);
        Assert.Equal(0.25, late.Ratio(0, 1).Median, 3);
        Assert.Equal(3_003, rounds[0].Times.All().Count);
        Assert.Equal(3, rounds[0].Times.Preempted.Count);
    }

    private static void Note(CallTimer timer, ref long now, long took, int kind = 0)
    {
        timer.Note(kind, now, now + took);
        now += took;
    }

    private CallTimer Begin(out long now)
    {
        var timer = new CallTimer(2, () =>
        {
            _questions++;
            return _switches;
        });
        timer.Begin();
        now = Stopwatch.GetTimestamp();
        return timer;
    }
}
