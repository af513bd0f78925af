namespace Tarn.Tests.ArrayPool;

/// <summary>The shelves of arrays whose lengths belong to no class.</summary>
public sealed class ExactLengthsTests
{
    private const int Length = 1001;

    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly PoolCore _core;

    public ExactLengthsTests() => _core = CreateCore(cap: 1 << 20);

    [Fact]
    public void An_array_is_kept_only_where_its_length_is_known()
    {
        byte[] array = new byte[Length];
        Assert.False(_core.Exact.Knows(Length));
        Assert.False(_core.Exact.Give(array));
        Assert.Null(_core.Exact.Take(Length));

        Assert.True(_core.Exact.Knows(Length));
        Assert.True(_core.Exact.Give(array));
        Assert.Equal((Length, Length), (_core.Exact.RetainedBytes, _core.Budget.Granted));
        Assert.Same(array, _core.Exact.Take(Length));
        Assert.Equal((0, 0), (_core.Exact.RetainedBytes, _core.Budget.Granted));
    }

    [Fact]
    public void The_last_array_returned_is_taken_first_and_may_not_come_back_twice()
    {
        _core.Exact.Take(Length);
        byte[][] arrays = [new byte[Length], new byte[Length], new byte[Length]];
        Assert.All(arrays, array => Assert.True(_core.Exact.Give(array)));

        Assert.Throws<InvalidOperationException>(() => _core.Exact.Give(arrays[2]));
        Assert.Equal(3 * Length, _core.Budget.Granted);
        Assert.Same(arrays[2], _core.Exact.Take(Length));
        Assert.Same(arrays[1], _core.Exact.Take(Length));
        Assert.Same(arrays[0], _core.Exact.Take(Length));
        Assert.Null(_core.Exact.Take(Length));
    }

    [Theory]
    [InlineData(int.MaxValue, 1 << 20, 16)]
    [InlineData(3, 1 << 20, 3)]
    [InlineData(int.MaxValue, (5 * Length) + 1, 5)]
    [InlineData(int.MaxValue, 0, 0)]
    public void It_keeps_no_more_than_the_length_or_the_cap_allows(int most, long cap, int kept)
    {
        PoolCore core = CreateCore(cap);
        ExactLengths exact = new(core, most);
        exact.Take(Length);

        Assert.Equal(kept, Enumerable.Range(0, 30).Count(_ => exact.Give(new byte[Length])));
        Assert.Equal(kept * Length, core.Budget.Granted);
        TrimCount trimmed = new();
        exact.Trim(TimeSpan.MaxValue, ref trimmed);
        Assert.Equal((kept, 0), (trimmed.Buffers, core.Budget.Granted));
    }

    [Fact]
    public void Only_arrays_that_have_lain_idle_are_given_up()
    {
        _core.Exact.Take(Length);
        _core.Exact.Give(new byte[Length]);
        _core.Exact.Give(new byte[Length]);
        _clock.Wait(s_idle);
        byte[] late = new byte[Length];
        _core.Exact.Give(late);
        TrimCount trimmed = new();

        _core.Exact.Trim(_core.Schedule.Now - (s_idle / 2), ref trimmed);

        Assert.Equal((2, 2 * Length), (trimmed.Buffers, trimmed.Bytes));
        Assert.Equal(Length, _core.Budget.Granted);
        Assert.Same(late, _core.Exact.Take(Length));
        Assert.True(_core.Exact.Knows(Length));
    }

    [Fact]
    public void After_too_many_lengths_it_accepts_any_and_drops_the_array()
    {
        const int Known = 4096;
        for (int length = 1; length <= Known; length++)
        {
            _core.Exact.Take(length);
        }

        Assert.False(_core.Exact.Knows(Known + 1));
        _core.Exact.Take(Known + 1);

        Assert.True(_core.Exact.Knows(Known + 1));
        Assert.True(_core.Exact.Knows(1 << 20));
        Assert.False(_core.Exact.Give(new byte[Known + 1]));
        Assert.True(_core.Exact.Give(new byte[Known]));
        Assert.Equal(Known, _core.Budget.Granted);
    }

    [Fact]
    public void It_wakes_the_clock_of_a_pool_that_keeps_nothing_else()
    {
        _core.Exact.Take(Length);
        Assert.False(_core.Schedule.IsAwake);
        _core.Exact.Give(new byte[Length]);
        Assert.True(_core.Schedule.IsAwake);

        _clock.Advance(2 * s_idle);

        Assert.Equal(0, _core.Budget.Granted);
        Assert.False(_core.Schedule.IsAwake);
    }

    [Fact]
    public void Elements_count_with_their_size()
    {
        PoolCore core = new(Options(1 << 20), elementSize: 8, eventId: 0);
        core.Exact.Take(Length);
        Assert.True(core.Exact.Give(new long[Length]));
        Assert.Equal(8 * Length, core.Exact.RetainedBytes);
    }

    private PoolCore CreateCore(long cap) => new(Options(cap), elementSize: 1, eventId: 0);

    private BufferPoolOptions Options(long cap) => new() { MaxRetainedBytes = cap, IdleTimeout = s_idle, Clock = _clock.Trim };
}
