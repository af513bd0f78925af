using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The table of large buffers by itself: what is out, kept or gone, while the system refuses and after its end.</summary>
public sealed class LargeBuffersTests
{
    private static readonly nuint s_size = BlockSizes.RoundUp(300_000);
    private static readonly nuint s_larger = BlockSizes.RoundUp(3_000_000);

    private readonly FailingMemory _memory = new() { DecommittedMemoryFaults = true };
    private readonly MemoryBudget _budget = new(1 << 30);
    private readonly CommittedBytes _committed = new(addPressure: false);
    private readonly LargeBuffers _large;

    public LargeBuffersTests() => _large = new LargeBuffers(_memory, _budget, _committed);

    private int Index => (int)BlockSizes.IndexOf(s_size);

    [Fact]
    public void A_buffer_is_out_then_kept_then_out_again_then_gone()
    {
        nint buffer = _large.Create(s_size);
        Assert.True(_large.TryGetSize(buffer, out nuint size));
        Assert.Equal((s_size, (long)s_size, (long)s_size), (size, _large.ReservedBytes, _committed.Count));
        Assert.True(_large.TryKeep(buffer, s_size, TimeSpan.Zero));
        Assert.False(_large.TryGetSize(buffer, out _));
        Assert.False(_large.TryRelease(buffer, s_size));
        Assert.False(_large.TryKeep(buffer, s_size, TimeSpan.Zero));
        Assert.Equal((long)s_size, _large.KeptBytes);
        Assert.Equal(buffer, _large.TakeKept(Index));
        Assert.True(_large.TryRelease(buffer, s_size));

        // The room is kept for the next buffer, and goes when it is asked for.
        Assert.Equal(((long)s_size, (long)s_size), (_budget.Granted, _large.ReleaseIdle(TimeSpan.MinValue)));
        AssertNothingLeft();
    }

    [Fact]
    public void A_wrong_size_or_address_gives_nothing_back()
    {
        nint buffer = _large.Create(s_size);
        Assert.False(_large.TryKeep(buffer, s_larger, TimeSpan.Zero));
        Assert.False(_large.TryRelease(buffer + 4096, s_size));
        Assert.Equal((0, 0), (_large.TryResize(buffer + 4096, s_larger), _budget.Granted));
        Assert.True(_large.TryRelease(buffer, s_size));
        AssertNothingLeft();
    }

    [Fact]
    public void A_buffer_that_the_budget_refuses_stays_out()
    {
        nint buffer = _large.Create(s_size);
        _budget.Limit = (long)s_size - 1;
        Assert.Null(_large.TryKeep(buffer, s_size, TimeSpan.Zero));
        Assert.True(_large.IsValid() && _large.TryRelease(buffer, s_size));
        AssertNothingLeft();
    }

    /// <summary>Each call of the system refused in its turn, and all after it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_refusal_changes_nothing(bool andAllAfter)
    {
        for (int nth = 1; nth <= 4; nth++)
        {
            nint buffer = _large.Create(s_size);
            _memory.Refuse(nth, andAllAfter);
            nint created = _large.Create(s_size);
            nint moved = _large.TryResize(buffer, s_larger);
            _memory.RefuseNothing();
            Assert.True(_large.TryRelease(moved != 0 ? moved : buffer, moved != 0 ? s_larger : s_size));
            Assert.True(created == 0 || _large.TryRelease(created, s_size));
            Assert.True(_large.IsValid());
            AssertNothingLeft();
        }
    }

    [Fact]
    public void Buffers_kept_and_in_use_are_at_most_half_more_than_the_most_in_use_and_a_few()
    {
        const nuint Eight = 8 << 20;
        nint[] buffers = [.. Enumerable.Range(0, 4).Select(_ => _large.Create(Eight))];
        Array.ForEach(buffers, buffer => Assert.True(_large.TryKeep(buffer, Eight, default)));
        Assert.Equal(32 << 20, _large.KeptBytes);

        // Three more classes, used in turn: what was kept longest goes.
        foreach (nuint size in (nuint[])[4 * Eight, 3 * Eight, Eight / 2 * 5])
        {
            Assert.True(_large.TryKeep(_large.Create(size), size, default));
            Assert.InRange(_large.KeptBytes, (long)size, LargeBuffers.Most(32 << 20));
            Assert.True(_large.IsValid());
        }

        Assert.Equal((0, 44 << 20), (_large.TakeKept((int)BlockSizes.IndexOf(Eight)), _large.KeptBytes));

        // Nothing was in use for two timeouts: a few may stay, but each of these is larger.
        _large.Age(TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(10));
        Assert.Equal(44 << 20, _large.KeptBytes);
        _large.Age(TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(10));
        Assert.Equal(0, _large.KeptBytes);
        _large.ReleaseIdle(TimeSpan.MaxValue);
        AssertNothingLeft();
    }

    [Fact]
    public void At_the_bound_a_kept_buffer_of_a_near_size_is_resized()
    {
        const nuint Two = 2 << 20;
        nint[] buffers = [.. from nuint size in (nuint[])[7 * Two, 8 * Two] select Keep(size)];
        int index = (int)BlockSizes.IndexOf(4 * Two);
        Assert.Equal(0, _large.TakeNear((int)BlockSizes.IndexOf(Two)));
        nint resized = _large.TakeNear(index);
        Assert.Equal(buffers[0], resized);
        Assert.True(_large.TryGetSize(resized, out nuint now));
        Assert.Equal((4 * Two, 8 * (long)Two), (now, _large.KeptBytes));
        Assert.True(_large.IsValid() && _large.TryRelease(resized, now));
        _large.ReleaseIdle(TimeSpan.MaxValue);
        AssertNothingLeft();

        nint Keep(nuint size)
        {
            nint buffer = _large.Create(size);
            Assert.True(_large.TryKeep(buffer, size, default));
            return buffer;
        }
    }

    [Fact]
    public void Its_end_releases_everything_once_and_refuses_what_comes_later()
    {
        nint kept = _large.Create(s_size);
        _large.Create(s_larger);
        Assert.True(_large.TryKeep(kept, s_size, default));
        _large.Close();
        Assert.Throws<ObjectDisposedException>(() => _large.Create(s_size));
        Assert.Throws<ObjectDisposedException>(() => _large.TakeKept(Index));
        _large.ReleaseAll();
        _large.ReleaseAll();
        Assert.False(_large.TryRelease(kept, s_size));
        Assert.Equal((0, 0), (_large.TryResize(kept, s_larger), _large.ReleaseIdle(TimeSpan.MaxValue)));
        AssertNothingLeft();
    }

    /// <summary>A buffer that the end finds in a call to the system goes when that call is over, and the end waits for it.</summary>
    [Theory]
    [InlineData("Reserve")]
    [InlineData("Commit")]
    [InlineData("TryMove")]
    public void Its_end_waits_for_a_call_to_the_system(string at)
    {
        WatchedMemory watched = new(_memory);
        LargeBuffers large = new(watched, _budget, _committed);
        nint buffer = large.Create(s_larger);
        buffer = large.TryResize(buffer, s_size);
        using ManualResetEventSlim closed = new();
        Thread? end = null;
        watched.Visitor = call =>
        {
            if (call == at)
            {
                watched.Visitor = null;
                end = new Thread(() =>
                {
                    large.Close();
                    closed.Set();
                    large.ReleaseAll();
                });
                end.Start();
                closed.Wait();
            }
        };
        Assert.Throws<ObjectDisposedException>(() => large.TryResize(buffer, 2 * s_larger));
        end!.Join();
        AssertNothingLeft();
    }

    private void AssertNothingLeft()
    {
        Assert.Equal((0, 0, 0), (_large.ReservedBytes, _committed.Count, _budget.Granted));
        _memory.AssertNothingLeaks();
    }
}
