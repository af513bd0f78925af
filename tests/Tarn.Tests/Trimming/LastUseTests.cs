namespace Tarn.Tests.Trimming;

public sealed class LastUseTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    [Fact]
    public void Used_memory_is_idle_once_patience_has_passed_since_a_trimmer_saw_the_use()
    {
        LastUse use = default;
        use.Note();
        Assert.Equal([false, false, true, true], AreIdle(ref use, 100, 109, 110, 111));
        use.Note();
        Assert.Equal([false, false, true], AreIdle(ref use, 112, 121, 122));
    }

    [Fact]
    public void Memory_that_was_never_used_is_idle_from_the_start()
    {
        LastUse use = default;
        Assert.Equal([false, true], AreIdle(ref use, 9, 10));
    }

    [Fact]
    public void Without_patience_all_is_idle_and_a_use_is_seen_all_the_same()
    {
        LastUse use = default;
        use.Note();
        Assert.True(use.IsIdle(TimeSpan.FromSeconds(100), patience: null));
        Assert.Equal([false, true], AreIdle(ref use, 109, 110));
    }

    private static List<bool> AreIdle(ref LastUse use, params int[] seconds)
    {
        List<bool> idle = [];
        foreach (int second in seconds)
        {
            idle.Add(use.IsIdle(TimeSpan.FromSeconds(second), s_patience));
        }

        return idle;
    }
}
