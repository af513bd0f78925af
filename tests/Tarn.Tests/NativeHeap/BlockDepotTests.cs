namespace Tarn.Tests.NativeHeaps;

/// <summary>The blocks that threads exchange, by themselves: whatever goes in comes out once, and what is idle is known.</summary>
public sealed class BlockDepotTests
{
    private const int Most = 1000;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private BlockDepot _depot = new(Most);
    private readonly List<nint> _in = [];
    private nint _next;

    [Fact]
    public void Blocks_come_out_once_the_newest_first()
    {
        Random random = new(1);
        nint[] taken = new nint[100];
        for (int round = 0; round < 5000; round++)
        {
            int count = random.Next(1, 100);
            switch (random.Next(5))
            {
                case 0 or 1:
                    Put(count);
                    break;
                case 2 or 3:
                    int found = _depot.Take(taken.AsSpan(0, count));
                    Assert.Equal(Math.Min(count, _in.Count), found);
                    Assert.Equal(_in[^found..], taken[(count - found)..count]);
                    _in.RemoveRange(_in.Count - found, found);
                    break;
                default:
                    count = Math.Min(count, _in.Count);
                    Assert.Equal(_in[..count], _depot.Blocks[..count].ToArray());
                    _depot.RemoveOldest(count);
                    _in.RemoveRange(0, count);
                    break;
            }

            Assert.Equal(_in, _depot.Blocks.ToArray());
            Assert.Equal(_in.Count, _depot.Count);
        }
    }

    [Fact]
    public void It_holds_no_more_than_its_most()
    {
        Put(Most - 1);
        Assert.False(_depot.TryPut([1, 2]));
        Assert.True(_depot.TryPut([1]));
        Assert.Equal(Most, _depot.Count);
    }

    [Fact]
    public void Idle_is_what_nobody_needed_for_the_timeout()
    {
        Assert.Equal(0, _depot.CountIdle(s_patience, s_patience));
        Put(10);
        Assert.Equal(0, _depot.CountIdle(s_patience * 1.5, s_patience));

        // They came within the last timeout, so they may be needed.
        Assert.Equal(0, _depot.CountIdle(s_patience * 2, s_patience));
        Take(4);
        Put(5);
        Assert.Equal(6, CountAndRemove(s_patience * 3));
        Assert.Equal(5, CountAndRemove(s_patience * 4));
        Put(3);
        Assert.Equal(3, _depot.CountIdle(s_patience * 4, patience: null));
    }

    [Fact]
    public void Unneeded_is_what_nobody_needed_since_the_last_search()
    {
        Put(10);
        Assert.Equal(0, _depot.CountUnneeded());
        Take(3);
        Put(5);
        Assert.Equal(7, _depot.CountUnneeded());
        _depot.RemoveOldest(7);
        Assert.Equal(5, _depot.CountUnneeded());
        _depot.RemoveOldest(5);
        Assert.Equal((0, 0), (_depot.Count, _depot.CountUnneeded()));
    }

    private int CountAndRemove(TimeSpan now)
    {
        int idle = _depot.CountIdle(now, s_patience);
        _depot.RemoveOldest(idle);
        return idle;
    }

    private void Take(int count) => Assert.Equal(count, _depot.Take(new nint[count]));

    private void Put(int count)
    {
        nint[] blocks = [.. Enumerable.Range(0, count).Select(_ => ++_next)];
        if (_depot.TryPut(blocks))
        {
            _in.AddRange(blocks);
        }
        else
        {
            Assert.True(_in.Count + count > Most, "The depot refuses blocks that it has room for.");
        }
    }
}
