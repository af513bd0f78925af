namespace Tarn.Tests.NativeHeaps;

/// <summary>A thread's stack of blocks by itself, against a list: what goes in comes out once, and one word counts both.</summary>
public sealed class BlockMagazineTests
{
    private const int Room = 40;

    private readonly Random _random = new(3);
    private readonly List<nint> _in = [];
    private BlockMagazine _magazine = BlockMagazine.TryCreate(Room)!;
    private long _popped;
    private nint _next;

    [Fact]
    public void A_new_magazine_takes_nothing_until_it_is_opened_and_a_closed_one_never()
    {
        Assert.False(_magazine.TryPush(1));
        Assert.Equal(0, _magazine.TryPop());
        Assert.False(BlockMagazine.Closed.TryPush(1));
        Assert.Equal(0, BlockMagazine.Closed.TryPop());
        _magazine.Open(1);
        Assert.True(_magazine.TryPush(1));
        Assert.False(_magazine.TryPush(2));
    }

    [Fact]
    public void Its_words_begin_a_cache_line_that_no_other_magazine_has()
    {
        nint[] starts = [.. Enumerable.Range(0, 50).Select(_ => Start(BlockMagazine.TryCreate(_random.Next(1, 100))!))];
        Assert.All(starts, static start => Assert.Equal(0, start % 64));
        Assert.Equal(starts.Length, starts.Distinct().Count());

        static unsafe nint Start(BlockMagazine magazine) => (nint)magazine.Words;
    }

    [Fact]
    public void Random_programs_agree_with_a_list()
    {
        int limit = 0;
        for (int step = 0; step < 50_000; step++)
        {
            switch (_random.Next(20))
            {
                case < 9:
                    Assert.Equal(_in.Count < limit, _magazine.TryPush(_next + 1));
                    if (_in.Count < limit)
                    {
                        _in.Add(++_next);
                    }

                    break;
                case < 17:
                    Pop();
                    break;
                case 17:
                    int count = _random.Next(_in.Count + 1);
                    _magazine.RemoveOldest(count);
                    _in.RemoveRange(0, count);
                    break;
                case 18:
                    limit = _random.Next(_in.Count, _magazine.Slots + 1);
                    _magazine.Open(limit);
                    break;
                default:
                    Move(limit);
                    break;
            }

            Verify(limit);
        }
    }

    /// <summary>A trimmer takes the lower part of a parked magazine while its owner may make one last call.</summary>
    [Fact]
    public void What_a_trimmer_took_is_neither_free_nor_handed_out()
    {
        _magazine.Open(Room);
        for (nint block = 1; block <= 10; block++)
        {
            _magazine.TryPush(block);
        }

        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], _magazine.Stack.ToArray());
        _magazine.Taken = 9;
        Assert.Equal((10, 1), (_magazine.Count, _magazine.FreeCount));
        Assert.Equal([10], _magazine.Stack.ToArray());
        _magazine.TryPush(11);
        _magazine.RemoveOldest(0);
        Assert.Equal((2, 2, 0), (_magazine.Count, _magazine.FreeCount, _magazine.Taken));
        Assert.Equal([10, 11], _magazine.Stack.ToArray());
    }

    private void Pop()
    {
        nint expected = _in.Count == 0 ? 0 : _in[^1];
        Assert.Equal(expected, _magazine.TryPop());
        if (expected != 0)
        {
            _in.RemoveAt(_in.Count - 1);
            _popped++;
        }
    }

    /// <summary>The owner gets a larger magazine, or one that is as large.</summary>
    private void Move(int limit)
    {
        BlockMagazine old = _magazine;
        _magazine = BlockMagazine.TryCreate(Room)!;
        old.MoveTo(_magazine);
        _magazine.Open(limit);
        Assert.Equal((0, 0), (old.Count, old.TryPop()));
    }

    private void Verify(int limit)
    {
        Assert.Equal((_in.Count, _in.Count), (_magazine.Count, _magazine.FreeCount));
        Assert.Equal(_in, _magazine.Stack.ToArray());
        Assert.Equal((limit, _popped), (_magazine.Limit, _magazine.Pops));
    }
}
