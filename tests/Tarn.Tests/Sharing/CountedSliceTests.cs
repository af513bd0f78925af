using Tarn.Tests.Support;

namespace Tarn.Tests.Sharing;

/// <summary>The life of a counted buffer, and the refusal of every use after it.</summary>
public sealed class CountedSliceTests
{
    private readonly BufferPool<int> _pool = BufferPool<int>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    private long InUse => _pool.GetStatistics().InUseBytes;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_last_holder_returns_the_buffer(bool bufferFirst)
    {
        CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100);
        CountedSlice<int> slice = buffer.Slice();
        CountedSlice<int> part = slice.Slice(10, 20);
        Assert.Equal(3, buffer.HolderCount);
        Action[] ends = [buffer.Dispose, slice.Dispose, part.Dispose];
        foreach (Action end in bufferFirst ? ends : ends.Reverse())
        {
            Assert.NotEqual(0, InUse);
            end();
        }

        Assert.Equal(0, InUse);
        Assert.Equal((1, 1), (_pool.GetStatistics().Rented, _pool.GetStatistics().Returned));
    }

    [Fact]
    public void Slices_see_the_elements_of_their_part()
    {
        using CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100);
        for (int i = 0; i < 100; i++)
        {
            buffer.Span[i] = i;
        }

        Assert.Equal((100, 100), (buffer.Span.Length, buffer.Memory.Length));
        using CountedSlice<int> tail = buffer.Slice(90);
        using CountedSlice<int> part = tail.Slice(2, 3);
        using CountedSlice<int> end = tail.Slice(10);
        using CountedSlice<int> copy = part.Slice(1);
        Assert.Equal(Enumerable.Range(90, 10), tail.Span.ToArray());
        Assert.Equal([92, 93, 94], part.Span.ToArray());
        Assert.Equal([92, 93, 94], part.Memory.ToArray());
        Assert.Equal([93, 94], copy.Span.ToArray());
        Assert.Equal((0, 0), (end.Length, end.Span.Length));
    }

    [Fact]
    public void Every_use_after_the_disposal_throws_and_changes_nothing()
    {
        CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100);
        CountedSlice<int> slice = buffer.Slice();
        CountedSlice<int> other = buffer.Slice();
        buffer.Dispose();
        slice.Dispose();
        AssertEnded(buffer, slice);
        Assert.Equal(100, other.Span.Length);
        other.Dispose();
        Assert.Equal(0, InUse);
        AssertEnded(buffer, slice);
        AssertEnded(default, default);

        // The same table and the same array, for another owner.
        using CountedBuffer<int> next = CountedBuffer<int>.Rent(_pool, 100);
        AssertEnded(buffer, slice);
        Assert.Equal(1, next.HolderCount);
    }

    [Fact]
    public void A_copy_is_the_same_holder()
    {
        using CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100);
        CountedSlice<int> slice = buffer.Slice(10, 10);
        CountedSlice<int> copy = slice;
        using CountedSlice<int> other = buffer.Slice(10, 10);
        Assert.True(copy == slice && copy.Equals((object)slice) && copy.GetHashCode() == slice.GetHashCode());
        Assert.True(other != slice && !other.Equals("slice"));
        copy.Dispose();
        Assert.Throws<ObjectDisposedException>(() => slice.Dispose());
        CountedBuffer<int> again = buffer;
        Assert.True(again == buffer && again.Equals((object)buffer) && again.GetHashCode() == buffer.GetHashCode());
        Assert.True(again != default && !again.Equals("buffer"));
    }

    [Theory]
    [InlineData(-1, 0, "start")]
    [InlineData(11, 0, "start")]
    [InlineData(4, 7, "length")]
    [InlineData(4, -1, "length")]
    public void A_part_outside_is_refused(int start, int length, string argument)
    {
        using CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 10);
        using CountedSlice<int> slice = buffer.Slice();
        Assert.Equal(argument, Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Slice(start, length)).ParamName);
        Assert.Equal(argument, Assert.Throws<ArgumentOutOfRangeException>(() => slice.Slice(start, length)).ParamName);
        Assert.Equal(2, buffer.HolderCount);
        Assert.Equal("start", Assert.Throws<ArgumentOutOfRangeException>(() => slice.Slice(11)).ParamName);
    }

    [Fact]
    public void A_bad_rent_is_refused_and_rents_nothing()
    {
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => CountedBuffer<int>.Rent(_pool, -1)).ParamName);
        Assert.Equal("pool", Assert.Throws<ArgumentNullException>(() => CountedBuffer<int>.Rent(null!, 1)).ParamName);
        Assert.Equal(0, _pool.GetStatistics().Rented);
        using CountedBuffer<int> empty = CountedBuffer<int>.Rent(_pool, 0);
        using CountedSlice<int> none = empty.Slice();
        Assert.True(none.Span.IsEmpty);
        using CountedBuffer<byte> ofShared = CountedBuffer<byte>.Rent(10);
        Assert.Equal(10, ofShared.Length);
    }

    [Fact]
    public void Memory_of_a_pinned_pool_is_that_of_its_pinned_array()
    {
        BufferPool<byte> pinned = BufferPool<byte>.Create(new BufferPoolOptions { Pinned = true });
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(pinned, 100);
        using CountedSlice<byte> slice = buffer.Slice(7);
        buffer.Span[7] = 42;
        using System.Buffers.MemoryHandle handle = slice.Memory.Pin();
        unsafe
        {
            Assert.Equal(42, *(byte*)handle.Pointer);
        }
    }

    /// <summary>The last ones beyond a power of two, so that every array of places is at its end and at its beginning.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(1025)]
    [InlineData(10_000)]
    public void Many_holders_leave_in_any_order(int count)
    {
        for (int round = 0; round < 3; round++)
        {
            CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 10);
            CountedSlice<int>[] slices = [.. Enumerable.Range(0, count).Select(_ => buffer.Slice())];
            Assert.Equal(count + 1, buffer.HolderCount);
            new Random(round).Shuffle(slices);
            buffer.Dispose();
            foreach (CountedSlice<int> slice in slices)
            {
                Assert.NotEqual(0, InUse);
                slice.Dispose();
            }

            Assert.Equal(0, InUse);
            Assert.All(slices, static slice => Assert.Throws<ObjectDisposedException>(() => slice.Dispose()));
        }
    }

    [Fact]
    public void Of_many_disposals_at_once_one_succeeds()
    {
        for (int round = 0; round < 200; round++)
        {
            CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 10);
            CountedSlice<int> slice = buffer.Slice();
            int refused = 0;
            Parallel.For(0, 4, _ =>
            {
                try
                {
                    slice.Dispose();
                }
                catch (ObjectDisposedException)
                {
                    Interlocked.Increment(ref refused);
                }
            });
            Assert.Equal((3, 1), (refused, buffer.HolderCount));
            buffer.Dispose();
            Assert.Equal(0, InUse);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void Once_warm_nothing_is_allocated(int holders)
    {
        CountedSlice<int>[] slices = new CountedSlice<int>[holders];
        for (int round = 0; round < 3; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            using (CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100))
            {
                for (int i = 0; i < holders; i++)
                {
                    slices[i] = buffer.Slice(i % 100);
                }

                Array.ForEach(slices, static slice => slice.Dispose());
            }

            Assert.True(round < 2 || GC.GetAllocatedBytesForCurrentThread() == before);
        }
    }

    /// <summary>A thread that passes its buffers on takes tables that all threads share, and allocates nothing either.</summary>
    [Fact]
    public void Once_warm_nothing_is_allocated_for_buffers_that_other_threads_end()
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { ThreadCaches = false, Checks = BufferChecks.None });
        using Worker worker = new();
        for (int round = 0; round < 5; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            CountedBuffer<int> buffer = CountedBuffer<int>.Rent(pool, 100);
            CountedSlice<int> slice = buffer.Slice();
            buffer.Dispose();
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            worker.Run(slice.Dispose);
            Assert.True(round < 4 || allocated == 0, $"{allocated} bytes");
        }
    }

    private static void AssertEnded(CountedBuffer<int> buffer, CountedSlice<int> slice)
    {
        Assert.Throws<ObjectDisposedException>(() => buffer.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => buffer.Memory);
        Assert.Throws<ObjectDisposedException>(() => buffer.HolderCount);
        Assert.Throws<ObjectDisposedException>(() => buffer.Slice());
        Assert.Throws<ObjectDisposedException>(() => slice.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => slice.Memory);
        Assert.Throws<ObjectDisposedException>(() => slice.Slice());
        Assert.Contains("default instance", Assert.Throws<ObjectDisposedException>(buffer.Dispose).Message, StringComparison.Ordinal);
        Assert.Contains("each holder", Assert.Throws<ObjectDisposedException>(slice.Dispose).Message, StringComparison.Ordinal);
    }
}
