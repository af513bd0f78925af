namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The rule by which a side of a ring spins before it sleeps.</summary>
public sealed class SpinHistoryTests
{
    [Fact]
    public void A_side_spins_while_one_wait_in_some_is_short()
    {
        SpinHistory history = default;
        for (int wait = 0; wait < 1000; wait++)
        {
            Assert.Equal(SpinHistory.Spins, history.Next);
            history.Note(hasPaid: wait % SpinHistory.MostMisses == 0);
        }
    }

    [Fact]
    public void A_side_whose_spins_never_pay_sleeps_at_once_but_for_a_trial_now_and_then()
    {
        SpinHistory history = default;
        Miss(ref history, SpinHistory.MostMisses);

        int[] spins = [.. Enumerable.Range(0, 10 * SpinHistory.WaitsPerTrial).Select(_ => Miss(ref history, 1))];

        Assert.All(spins, static spin => Assert.True(spin is SpinHistory.Spins or 0, $"{spin} spins"));
        Assert.Equal(10, spins.Count(static spin => spin == SpinHistory.Spins));
        Assert.Equal(0, spins[0]);
    }

    /// <summary>For any share of short waits that a regular sequence has, a trial comes upon one.</summary>
    [Fact]
    public void A_regular_sequence_with_short_waits_is_found_out()
    {
        for (int period = 1; period < SpinHistory.WaitsPerTrial; period++)
        {
            SpinHistory history = default;
            Miss(ref history, 1000);
            int wait = 0;
            while (history.Next != SpinHistory.Spins || wait % period != 0)
            {
                history.Note(hasPaid: false);
                Assert.True(wait++ < SpinHistory.WaitsPerTrial * period, $"Every {period}th wait is short, and none is tried.");
            }
        }
    }

    [Fact]
    public void A_trial_that_pays_restores_spinning()
    {
        SpinHistory history = default;
        Miss(ref history, 1000);
        Assert.Equal(0, history.Next);

        history.Note(hasPaid: true);

        for (int miss = 0; miss < SpinHistory.MostMisses; miss++)
        {
            Assert.Equal(SpinHistory.Spins, Miss(ref history, 1));
        }

        Assert.Equal(0, history.Next);
    }

    /// <summary>Returns how long the last wait spun.</summary>
    private static int Miss(ref SpinHistory history, int times)
    {
        int spins = 0;
        for (int i = 0; i < times; i++)
        {
            spins = history.Next;
            history.Note(hasPaid: false);
        }

        return spins;
    }
}
