namespace Tarn.Tests.NativeHeaps.Checks;

/// <summary>The records of a checked heap by themselves, against a list that is searched from end to end.</summary>
public sealed class BlockMapTests
{
    private readonly BlockMap _map = new();
    private readonly Random _random = new(11);

    /// <summary>The blocks whose records the map must have; those that are gone in the order in which they went.</summary>
    private readonly List<CheckedBlock> _held = [];
    private readonly List<CheckedBlock> _gone = [];

    /// <summary>The same, with those whose memory became another block: the map forgets the oldest of them first.</summary>
    private readonly Queue<CheckedBlock> _queue = new();

    [Fact]
    public void Random_programs_agree_with_a_list()
    {
        for (int step = 0; step < 10_000; step++)
        {
            if (_random.Next(2) == 0 && _held.Count < 300)
            {
                AddOne();
            }
            else if (_held.Count > 0)
            {
                BuryOne();
            }

            nuint address = (nuint)_random.Next(1 << 20);
            Assert.Same(_held.Concat(_gone).FirstOrDefault(block => block.Base <= address && address < block.Limit), _map.Find(address));
            if (step % 500 == 0)
            {
                _map.Validate();
                Assert.Equal(_held.Concat(_gone).OrderBy(static block => block.Base), _map.All);
            }
        }

        Assert.Equal(BlockMap.MostGone, _queue.Count);
        _map.Clear();
        Assert.Empty(_map.All);
    }

    [Fact]
    public void Memory_that_its_source_hands_out_twice_is_refused_and_nothing_changes()
    {
        CheckedBlock first = Create(1000, 100);
        _map.Add(first);
        Assert.Throws<InvalidOperationException>(() => _map.Add(Create(1050, 100)));
        Assert.Throws<InvalidOperationException>(() => _map.Add(Create(950, 51)));
        Assert.Equal([first], _map.All);
        _map.Add(Create(900, 100));
        _map.Add(Create(1100, 1));
        _map.Validate();
    }

    [Fact]
    public void The_ends_of_the_address_space_are_found()
    {
        CheckedBlock first = Create(0, 10);
        CheckedBlock last = Create(nuint.MaxValue - 10, 10);
        _map.Add(first);
        _map.Add(last);
        Assert.Same(first, _map.Find(0));
        Assert.Same(last, _map.Find(nuint.MaxValue - 1));
        Assert.Null(_map.Find(10));
        Assert.Null(_map.Find(nuint.MaxValue));
    }

    [Fact]
    public void Blocks_in_use_are_counted_by_class()
    {
        CheckedBlock kept = Create(5000, 100);
        _map.Add(Create(1000, 100));
        _map.Add(Create(2000, 100));
        _map.Add(Create(3000, 40));
        _map.Add(kept);
        kept.State = CheckedBlockState.Kept;
        long[] counts = _map.CountInUseByClass();
        Assert.Equal((2, 1, 3), (counts[(int)BlockSizes.IndexOf(100)], counts[(int)BlockSizes.IndexOf(40)], counts.Sum()));
    }

    private void AddOne()
    {
        CheckedBlock block = Create((nuint)_random.Next(1 << 20), (nuint)_random.Next(1, 4000));
        if (_held.Exists(held => held.Base < block.Limit && block.Base < held.Limit))
        {
            Assert.Throws<InvalidOperationException>(() => _map.Add(block));
            _gone.RemoveAll(gone => _map.Find(gone.Base) != gone);
            return;
        }

        _map.Add(block);
        _held.Add(block);
        _gone.RemoveAll(gone => gone.Base < block.Limit && block.Base < gone.Limit);
    }

    private void BuryOne()
    {
        int at = _random.Next(_held.Count);
        CheckedBlock block = _held[at];
        _held.RemoveAt(at);
        _map.Bury(block);
        Assert.Equal(CheckedBlockState.Gone, block.State);
        _gone.Add(block);
        _queue.Enqueue(block);
        if (_queue.Count > BlockMap.MostGone)
        {
            _gone.Remove(_queue.Dequeue());
        }

    }

    private static CheckedBlock Create(nuint start, nuint size) => new()
    {
        Base = start,
        Start = start,
        Size = size,
        End = start + size,
        Footprint = size,
        Alignment = 1,
        IsGuarded = false,
        AllocatedAt = null,
        ReportsLeak = false,
    };
}
