using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>Slices of what streams held.</summary>
public sealed class StreamSliceTests : IDisposable
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
    private readonly BufferBudget _budget = new(1 << 20, "streams");

    public static TheoryData<int, int> Sizes => new() { { 0, 0 }, { 0, 1 }, { 0, 100 }, { 0, 50_000 }, { 60_000, 50_000 }, { 300, 300 } };

    public void Dispose() => _heap.Dispose();

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_stream_moves_its_contents_to_a_slice_and_can_be_used_again(int capacity, int length)
    {
        PooledMemoryStreamOptions[] kinds =
        [
            new() { Pool = _pool }, new() { Pool = _pool, Clearing = StreamClearing.OnReturn }, new() { Heap = _heap },
            new() { Pool = _pool, Budget = _budget }, new() { Pool = _pool, Budget = _budget, Clearing = StreamClearing.Background }, new(),
        ];
        foreach (PooledMemoryStreamOptions options in kinds)
        {
            using PooledMemoryStream stream = new(options, capacity);
            byte[] written = Write(stream, length);
            CountedSlice<byte> slice = stream.DetachSlice();
            Assert.Equal((0, 0, 0), (stream.Length, stream.Position, stream.Capacity));
            byte[] second = Write(stream, length);
            Assert.Equal(second, stream.ToArray());
            Assert.Equal(written, slice.Span.ToArray());
            stream.Dispose();
            Assert.Equal(written, slice.Span.ToArray());
            Assert.True(options.Budget is null || _budget.InUse >= length);
            slice.Dispose();
            Assert.Throws<ObjectDisposedException>(slice.Dispose);
            Assert.Throws<ObjectDisposedException>(() => stream.DetachSlice());
            Eventually.True(() => _budget.InUse == 0 && _pool.GetStatistics().InUseBytes == 0, "the memory is back, cleared or not");
        }

        Assert.Equal(0, _heap.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Contents_in_one_array_are_not_copied()
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = _pool }, capacity: 10_000);
        Write(stream, 10_000);
        byte[] array = stream.GetBuffer();
        using CountedSlice<byte> slice = stream.DetachSlice();
        Assert.True(slice.Span.Overlaps(array));
        Assert.Equal(1, _pool.GetStatistics().Rented);
    }

    [Fact]
    public void Slices_of_detached_contents_share_each_segment_and_outlive_the_others()
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = _pool, Budget = _budget });
        byte[] written = Write(stream, 100_000);
        OwnedSequence<byte> contents = stream.Detach();
        long rented = _pool.GetStatistics().Rented;
        long all = _budget.InUse;
        List<(CountedSlice<byte> Slice, int Start)> slices = [];
        for (int start = 0; start < written.Length; start += 1_000)
        {
            slices.Add((contents.Slice(start, 100), start));
        }

        int segments = CountSegments(contents);
        Assert.InRange(segments, 3, 50);
        Assert.InRange(_pool.GetStatistics().Rented - rented, 0, segments - 1);
        Assert.Throws<ArgumentOutOfRangeException>("start", () => contents.Slice(written.Length + 1, 0));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => contents.Slice(written.Length, 1));
        contents.Dispose();
        Assert.Throws<ObjectDisposedException>(() => contents.Slice(0, 0));
        foreach ((CountedSlice<byte> slice, int start) in slices)
        {
            Assert.Equal(written.AsSpan(start, 100), slice.Span);
            slice.Dispose();
        }

        Assert.InRange(all, written.Length, _budget.Limit);
        Assert.Equal((0, 0), (_budget.InUse, _pool.GetStatistics().InUseBytes));
    }

    [Fact]
    public void Secrets_are_cleared_when_the_last_slice_ends()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = pool, Clearing = StreamClearing.OnReturn });
        stream.Write([1, 2, 3]);
        byte[] array = stream.GetBuffer();
        CountedSlice<byte> slice = stream.DetachSlice();
        CountedSlice<byte> part = slice.Slice(1, 1);
        stream.Dispose();
        slice.Dispose();
        Assert.Equal([1, 2, 3], array[..3]);
        part.Dispose();
        Assert.Equal([0, 0, 0], array[..3]);
    }

    [Fact]
    public void A_copy_that_cannot_be_had_leaves_the_stream_unchanged()
    {
        bool isRefused = false;
        PooledMemoryStreamOptions options = new()
        {
            Pool = _pool,
            BeforeRent = _ => _ = isRefused ? throw new InsufficientMemoryException() : 0,
        };
        using PooledMemoryStream stream = new(options);
        byte[] written = Write(stream, 100_000);
        isRefused = true;
        Assert.ThrowsAny<OutOfMemoryException>(() => stream.DetachSlice());
        Assert.Equal(written, stream.ToArray());
        using PooledMemoryStream budgeted = new(new PooledMemoryStreamOptions { Pool = _pool, Budget = new BufferBudget(150_000) });
        written = Write(budgeted, 100_000);
        Assert.Throws<BufferBudgetExceededException>(() => budgeted.DetachSlice());
        Assert.Equal(written, budgeted.ToArray());
    }

    private static int CountSegments(OwnedSequence<byte> contents)
    {
        int count = 0;
        foreach (ReadOnlyMemory<byte> _ in contents.Sequence)
        {
            count++;
        }

        return count;
    }

    private static byte[] Write(PooledMemoryStream stream, int length)
    {
        byte[] written = new byte[length];
        new Random(length).NextBytes(written);
        for (int at = 0; at < length; at += 7_000)
        {
            stream.Write(written.AsSpan(at, Math.Min(7_000, length - at)));
        }

        return written;
    }
}
