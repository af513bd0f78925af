using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The table of large buffers by itself: what is out, kept, leaving or gone, while the system refuses and after its end.</summary>
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
        Assert.True(_budget.TryReserve((long)s_size));
        Assert.True(_large.TryGive(buffer, s_size, TimeSpan.Zero, isGranted: true));
        Assert.False(_large.TryGetSize(buffer, out _));
        Assert.False(_large.TryGive(buffer, s_size, TimeSpan.Zero, isGranted: false));
        Assert.Equal((long)s_size, _large.KeptBytes);
        Assert.Equal(buffer, _large.TakeKept(Index));
        Assert.True(_large.TryGive(buffer, s_size, TimeSpan.Zero, isGranted: false));
        AssertNothingLeft();
    }

    [Fact]
    public void A_wrong_size_or_address_gives_nothing_back_and_returns_the_room()
    {
        nint buffer = _large.Create(s_size);
        Assert.True(_budget.TryReserve((long)s_larger));
        Assert.False(_large.TryGive(buffer, s_larger, TimeSpan.Zero, isGranted: true));
        Assert.False(_large.TryGive(buffer + 4096, s_size, TimeSpan.Zero, isGranted: false));
        Assert.Equal((0, 0), (_large.TryResize(buffer + 4096, s_larger), _budget.Granted));
        Assert.True(_large.TryGive(buffer, s_size, TimeSpan.Zero, isGranted: false));
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
            Assert.True(_large.TryGive(moved != 0 ? moved : buffer, moved != 0 ? s_larger : s_size, default, isGranted: false));
            Assert.True(created == 0 || _large.TryGive(created, s_size, default, isGranted: false));
            Assert.True(_large.IsValid());
            AssertNothingLeft();
        }
    }

    [Fact]
    public void A_buffer_on_its_way_out_of_a_slot_is_neither_in_use_nor_kept()
    {
        nint leaving = _large.Create(s_size);
        nint staying = _large.Create(s_size);
        _large.Leave(leaving, mayStay: false);
        _large.Leave(staying, mayStay: true);
        Assert.Equal([(s_size, 0L, 0L)], _large.CountBySize());
        Assert.False(_large.TryGive(leaving, s_size, default, isGranted: false));
        Assert.Equal(0, _large.TryResize(leaving, s_larger));
        _large.SettleLeaving(TimeSpan.Zero);
        Assert.Equal([(s_size, 0L, 1L)], _large.CountBySize());
        Assert.Equal(((long)s_size, (long)s_size), (_large.KeptBytes, _budget.Granted));
        Assert.Equal((long)s_size, _large.ReleaseIdle(TimeSpan.MaxValue));
        AssertNothingLeft();
    }

    [Fact]
    public void Its_end_releases_everything_once_and_refuses_what_comes_later()
    {
        nint kept = _large.Create(s_size);
        nint slotted = _large.Create(s_size);
        _large.Create(s_larger);
        Assert.True(_budget.TryReserve((long)s_size) && _large.TryGive(kept, s_size, default, isGranted: true));
        _large.Leave(slotted, mayStay: true);
        _large.Close();
        Assert.Throws<ObjectDisposedException>(() => _large.Create(s_size));
        Assert.Throws<ObjectDisposedException>(() => _large.TakeKept(Index));
        _large.ReleaseAll();
        _large.ReleaseAll();
        _large.SettleLeaving(default);
        Assert.False(_large.TryGive(kept, s_size, default, isGranted: false));
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
