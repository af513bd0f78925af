namespace Tarn.Tests.Primitives;

/// <summary>A thread's work on one class as the limit sees it: a cache of a number of buffers in front of an endless depot.</summary>
public sealed class RoomLimitTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(16)]
    public void A_thread_that_only_returns_earns_nothing(int unearned)
    {
        Cache cache = new(unearned);
        cache.Return(10_000);
        Assert.Equal(unearned, cache.Limit);
        Assert.True(cache.OnlyReturns);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(16)]
    public void A_thread_that_only_rents_earns_nothing(int unearned)
    {
        Cache cache = new(unearned);
        cache.Rent(10_000);
        Assert.Equal(unearned, cache.Limit);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, 2)]
    [InlineData(0, 8)]
    [InlineData(0, 63)]
    [InlineData(16, 63)]
    [InlineData(16, 1000)]
    [InlineData(64, 1000)]
    public void A_loop_that_goes_deep_earns_just_that_and_then_misses_no_more(int unearned, int depth)
    {
        Cache cache = new(unearned);
        for (int round = 0; round < 20; round++)
        {
            cache.Rent(depth);
            cache.Return(depth);
        }

        Assert.Equal(Math.Max(unearned, depth), cache.Limit);
        int before = cache.Misses;
        cache.Rent(depth);
        cache.Return(depth);
        Assert.Equal(before, cache.Misses);
    }

    [Theory]
    [InlineData(0, 2.5)]
    [InlineData(1, 2.5)]
    [InlineData(4, 4.5)]
    [InlineData(16, 16.5)]
    [InlineData(64, 64.5)]
    public void A_random_walk_earns_hardly_anything(int unearned, double mean)
    {
        // A walk of a million steps wanders a thousand buffers away from where it began.
        Cache cache = new(unearned);
        Random random = new(1);
        const int steps = 1_000_000;
        long sum = 0;
        for (int step = 0; step < steps; step++)
        {
            if (random.Next(2) == 0)
            {
                cache.Rent(1);
            }
            else
            {
                cache.Return(1);
            }

            sum += cache.Limit;
        }

        Assert.InRange((double)sum / steps, unearned, mean);
    }

    [Fact]
    public void A_random_walk_without_other_threads_earns_all_it_needs()
    {
        Cache cache = new(unearned: 0) { IsAlone = true };
        Random random = new(1);
        int inUse = 0;
        for (int step = 0; step < 100_000; step++)
        {
            if (inUse < 64 && (inUse == 0 || random.Next(2) == 0))
            {
                cache.Rent(1);
                inUse++;
            }
            else
            {
                cache.Return(1);
                inUse--;
            }
        }

        Assert.InRange(cache.Limit, 32, 128);
    }

    [Fact]
    public void A_thread_that_only_rents_fetches_many_at_once_and_one_that_climbs_and_falls_a_share_of_its_climb()
    {
        Cache renter = new(unearned: 0);
        renter.Rent(10_000);
        Assert.Equal(64, renter.Batch);

        Cache loop = new(unearned: 0);
        loop.Rent(8);
        Assert.Equal(1, loop.Batch);
        loop.Return(8);
        loop.Rent(7);
        Assert.Equal(0, loop.Batch);
    }

    [Fact]
    public void No_limit_is_above_twice_the_largest_rise_of_the_thread_itself()
    {
        for (int seed = 0; seed < 500; seed++)
        {
            Random random = new(seed);
            Cache cache = new(unearned: random.Next(4) * random.Next(8));
            for (int phase = 0; phase < 50; phase++)
            {
                int count = 1 << random.Next(10);
                cache.Rent(random.Next(count));
                cache.Return(random.Next(count));
                Assert.True(
                    cache.Limit <= Math.Max(cache.Unearned, 2 * cache.LargestRise),
                    $"Seed {seed}, phase {phase}: the limit is {cache.Limit}, the largest rise was {cache.LargestRise}.");
            }
        }
    }

    [Fact]
    public void A_lowered_limit_is_earned_again_and_never_below_the_unearned_room()
    {
        Cache cache = new(unearned: 4);
        for (int round = 0; round < 10; round++)
        {
            cache.Rent(32);
            cache.Return(32);
        }

        Assert.Equal(32, cache.Limit);
        cache.Lower(0);
        Assert.Equal(4, cache.Limit);
        for (int round = 0; round < 10; round++)
        {
            cache.Rent(32);
            cache.Return(32);
        }

        Assert.Equal(32, cache.Limit);
    }

    private sealed class Cache(int unearned)
    {
        private RoomLimit _limit;
        private int _free;
        private long _rented;
        private long _outstanding;
        private long _lowest;

        public int Limit => Math.Max(Unearned, _limit.Value);

        public int Unearned { get; } = unearned;

        public bool OnlyReturns => _limit.OnlyReturns;

        public int Misses { get; private set; }

        public long LargestRise { get; private set; }

        public void Lower(int value)
        {
            _limit.Lower(value);
            _free = Math.Min(_free, Limit);
        }

        public bool IsAlone { get; init; }

        public int Batch => _limit.BatchOf(64);

        public void Rent(int count)
        {
            for (int i = 0; i < count; i++)
            {
                if (_free == 0)
                {
                    Misses++;
                    _limit.OnMiss(_outstanding + 1, _rented + 1, IsAlone);
                    _free++;
                }

                _free--;
                _rented++;
                _outstanding++;
                LargestRise = Math.Max(LargestRise, _outstanding - _lowest);
            }
        }

        public void Return(int count)
        {
            for (int i = 0; i < count; i++)
            {
                if (_free >= Limit)
                {
                    bool isAskedFor = !_limit.OnlyReturns;
                    _limit.OnOverflow(_outstanding, _rented);
                    if (_free >= Limit && Limit > 0)
                    {
                        _free -= Math.Max(1, isAskedFor ? _free / 2 : _free);
                        _limit.OnHandedOn(Limit - _free - 1);
                    }
                }

                _free += _free < Limit ? 1 : 0;
                _outstanding--;
                _lowest = Math.Min(_lowest, _outstanding);
            }
        }
    }
}
