using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The depot of a size class: its order, its places and its spans of time.</summary>
public class DepotTests
{
    private const int Length = 1024;
    private readonly PoolCore _core = new(
        new BufferPoolOptions { Name = "depot tests", Clock = new ManualClock(followsCollections: false).Trim },
        elementSize: 1,
        eventId: 0);
    private readonly ArrayClass _class;

    public DepotTests() => _class = _core.ClassOf(_core.IndexOf(Length));

    [Fact]
    public void The_most_recently_returned_buffer_is_taken_first()
    {
        byte[][] buffers = [.. Enumerable.Range(0, 20).Select(static _ => new byte[Length])];
        foreach (byte[] buffer in buffers)
        {
            Assert.Equal(Placing.Kept, _class.Depot.TryPut(buffer));
            _class.Depot.Validate();
        }

        Assert.Equal(Placing.ReturnedTwice, _class.Depot.TryPut(buffers[^1]));
        foreach (byte[] buffer in buffers.Reverse())
        {
            Assert.Same(buffer, _class.Depot.Take(out _));
            _class.Depot.Validate();
        }

        Assert.Null(_class.Depot.Take(out _));
    }

    [Fact]
    public void A_batch_is_taken_from_the_top_too()
    {
        byte[][] buffers = [.. Enumerable.Range(0, 5).Select(static _ => new byte[Length])];
        Put(buffers, room: 0);
        Assert.Same(buffers[4], _class.Depot.Take(out _));
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(buffers[4]));

        ArrayReference[] taken = new ArrayReference[3];
        Assert.Equal(3, _class.Depot.Take(taken, out _));

        Assert.Equal(buffers[2..], taken.Select(static item => item.Value));
        _class.Depot.Validate();
        Assert.Equal(2, _class.Depot.Count);
    }

    [Fact]
    public void Room_that_comes_with_buffers_goes_back_where_places_are_free()
    {
        Assert.True(_class.TryReserve(4));
        Put([.. Enumerable.Range(0, 4).Select(static _ => new byte[Length])], room: 4);
        for (int i = 0; i < 3; i++)
        {
            Assert.NotNull(_class.Depot.Take(out _));
        }

        Assert.True(_class.TryReserve(5));
        Put([new byte[Length], new byte[Length], new byte[Length], new byte[Length]], room: 5);

        Assert.Equal(5, _class.Depot.Places);
        Assert.Equal(5 * _class.Bytes, _core.Budget.Granted);
        _class.Depot.Validate();
    }

    [Fact]
    public void Only_what_callers_without_a_cache_rent_and_return_is_counted()
    {
        Assert.Null(_class.Depot.TakeBypassing());
        Assert.Equal((0, 0), _class.Depot.Traffic);
        _class.Depot.CountBypassing(rents: 1, returns: 0);
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(new byte[Length], returns: 1));
        Assert.NotNull(_class.Depot.TakeBypassing());
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(new byte[Length]));
        Assert.NotNull(_class.Depot.Take(out _));
        Assert.Equal((2, 1), _class.Depot.Traffic);
    }

    [Fact]
    public void A_turn_gives_up_what_two_spans_did_not_need_with_its_places()
    {
        FillWithUnused(buffers: 10, unused: 4);

        TrimCount trimmed = new();
        _class.Depot.Turn(ref trimmed);

        Assert.Equal((4, 4 * _class.Bytes), (trimmed.Buffers, trimmed.Bytes));
        Assert.Equal((6, 6), (_class.Depot.Count, _class.Depot.Places));
        Assert.Equal(6 * _class.Bytes, _core.Budget.Granted);
        _class.Depot.Validate();
        _class.Depot.Turn(ref trimmed);
        Assert.Equal(4, trimmed.Buffers);
    }

    [Fact]
    public void Two_turns_at_the_same_time_give_the_unused_buffers_up_once()
    {
        const int End = -1;
        int round = 0;
        int turned = 0;
        Thread other = new(() =>
        {
            for (int next = 1; SpinUntil(ref round, next); next++)
            {
                Turn();
                Volatile.Write(ref turned, next);
            }
        });
        other.Start();
        int kept = 6;
        Stopwatch elapsed = Stopwatch.StartNew();
        for (int now = 1; kept == 6 && elapsed.Elapsed < StressLength.Duration; now++)
        {
            FillWithUnused(buffers: 10, unused: 4);
            Volatile.Write(ref round, now);
            Turn();
            SpinUntil(ref turned, now);
            kept = _class.Depot.Count;
            TrimCount trimmed = new();
            _class.Depot.Evict(long.MaxValue, ref trimmed);
            _class.Depot.GiveUpPlaces(long.MaxValue);
        }

        Volatile.Write(ref round, End);
        other.Join();
        Assert.Equal((6, 0), (kept, _core.Budget.Granted));

        bool SpinUntil(ref int word, int value)
        {
            SpinWait wait = default;
            while (Volatile.Read(ref word) is int seen && seen != value)
            {
                if (seen == End)
                {
                    return false;
                }

                wait.SpinOnce(sleep1Threshold: -1);
            }

            return true;
        }
    }

    [Fact]
    public void Unused_buffers_are_those_that_neither_this_span_nor_the_last_one_reached()
    {
        FillWithUnused(buffers: 10, unused: 4);
        TrimCount trimmed = new();

        Assert.Equal(4, _class.Depot.UnusedCount);
        Assert.Equal(3, _class.Depot.Evict(3, ref trimmed, onlyUnused: true));
        Assert.Equal(1, _class.Depot.Evict(long.MaxValue, ref trimmed, onlyUnused: true));
        Assert.Equal(0, _class.Depot.Evict(long.MaxValue, ref trimmed, onlyUnused: true));
        Assert.Equal(6, _class.Depot.Count);
        Assert.Equal(6, _class.Depot.Evict(long.MaxValue, ref trimmed));
        _class.Depot.Validate();
    }

    private void Turn()
    {
        TrimCount trimmed = new();
        _class.Depot.Turn(ref trimmed);
    }

    /// <summary>Fills the depot. Some of its buffers are not needed in this span, and none was in the one before.</summary>
    private void FillWithUnused(int buffers, int unused)
    {
        TrimCount trimmed = new();
        Put([.. Enumerable.Range(0, buffers).Select(static _ => new byte[Length])], room: 0);
        _class.Depot.Turn(ref trimmed);
        _class.Depot.Turn(ref trimmed);
        ArrayReference[] taken = new ArrayReference[buffers - unused];
        Assert.Equal(buffers - unused, _class.Depot.Take(taken, out _));
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(taken));
        Assert.Equal((0, buffers), (trimmed.Buffers, _class.Depot.Count));
    }

    private void Put(byte[][] buffers, int room)
    {
        ArrayReference[] items = [.. buffers.Select(static buffer => new ArrayReference { Value = buffer })];
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(items, room));
        _class.Depot.Validate();
    }
}
