using Tarn.Tests.Support;

namespace Tarn.Tests.Torture;

/// <summary>Storms find the faults they are designed for: the tests plant one of each kind.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class StormTests
{
    /// <summary>No storm with a fault lasts this long. The limit only stops a storm that finds nothing.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    private static BufferPoolOptions Options => new() { Checks = BufferChecks.None };

    [Fact]
    public void A_pool_that_hands_one_buffer_out_twice_is_found()
    {
        BufferPool<long> pool = BufferPool<long>.Create(Options);
        Exception e = Assert.Throws<InvalidOperationException>(() => new TwiceHandedOut(pool, s_limit).Run(seed: 7));

        Assert.Contains("seed 7", e.Message, StringComparison.Ordinal);
        Assert.Contains("two callers had it", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_pool_that_hands_out_a_buffer_that_is_too_short_is_found() =>
        Assert.Contains(
            "was rented for",
            Assert.Throws<InvalidOperationException>(() => new TooShort(BufferPool<long>.Create(Options), s_limit).Run(1)).Message,
            StringComparison.Ordinal);

    [Fact]
    public void A_write_to_a_block_of_someone_else_is_found()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        StampedBlock block = StampedBlock.Mark(heap.Allocate(100), 100);
        ((byte*)block.Address)[99]++;
        Assert.Throws<FindingException>(block.Verify);
        ((byte*)block.Address)[99]--;
        block.Verify();
        heap.Free((void*)block.Address, 100);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(999)]
    [InlineData(70_000)]
    public void A_byte_of_a_stream_that_changed_is_found(int changed)
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = BufferPool<byte>.Create(Options) });
        StampedStream stamped = new(stream);
        stamped.Append(50_000, new Random(1));
        stamped.Append(50_000, new Random(2));
        stamped.Verify();
        stream.Position = changed;
        int before = stream.ReadByte();
        stream.Position = changed;
        stream.WriteByte((byte)(before + 1));
        Assert.Throws<FindingException>(stamped.Verify);
        stream.Position = 0;
        stream.SetLength(changed);
        Assert.Throws<FindingException>(stamped.Verify);
    }

    [Fact]
    public void Memory_that_a_heap_refuses_without_leave_is_a_failure()
    {
        FailingMemory system = new();
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Memory = system });
        RandomRefusals refusals = new(seed: 3, oneIn: 1);
        system.Refuse(refusals.Next);
        Assert.Contains(
            nameof(OutOfMemoryException),
            Assert.Throws<InvalidOperationException>(() => new HeapStorm(heap, 2, s_limit).Run(1)).ToString(),
            StringComparison.Ordinal);
        system.RefuseNothing();
        Assert.True(refusals.Refused > 0);
    }

    [Fact]
    public void A_condition_that_soon_holds_settles_and_one_that_never_holds_is_found()
    {
        int tries = 0;
        Require.Settles(() => Require.That(++tries == 3, "not yet"));
        Assert.Equal(3, tries);
        Assert.Throws<FindingException>(() => Require.Settles(static () => throw new FindingException("never"), limit: TimeSpan.Zero));
    }

    [Fact]
    public void Refusals_are_the_same_for_the_same_seed_and_as_many_as_asked_for()
    {
        bool[] first = Answers(seed: 5);
        Assert.Equal(first, Answers(seed: 5));
        Assert.NotEqual(first, Answers(seed: 6));
        Assert.InRange(first.Count(static refused => refused), 800, 1200);

        static bool[] Answers(int seed)
        {
            RandomRefusals refusals = new(seed, oneIn: 10);
            return [.. Enumerable.Range(0, 10_000).Select(_ => refusals.Next())];
        }
    }

    /// <summary>Sometimes hands out the buffer that it handed out last.</summary>
    private sealed class TwiceHandedOut(BufferPool<long> pool, TimeSpan duration) : PoolStorm(pool, threads: 2, duration)
    {
        private long[]? _last;
        private int _rents;

        protected override long[] Rent(int length, bool exact)
        {
            if (!exact && Interlocked.Increment(ref _rents) % 100 == 0 && _last is { } last && last.Length >= length
                && last.Length <= 2 * length)
            {
                return last;
            }

            long[] array = base.Rent(length, exact);
            _last = array;
            return array;
        }
    }

    private sealed class TooShort(BufferPool<long> pool, TimeSpan duration) : PoolStorm(pool, threads: 2, duration)
    {
        protected override long[] Rent(int length, bool exact) => length == 500 ? new long[499] : base.Rent(length, exact);
    }
}
