using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BufferLeaseTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(17)]
    [InlineData(1000)]
    [InlineData(100_001)]
    public void A_lease_is_exactly_as_long_as_asked_new_and_reused(int length)
    {
        for (int i = 0; i < 3; i++)
        {
            BufferLease<byte> lease = _pool.Lease(length);
            Assert.Equal(length, lease.Length);
            Assert.Equal(length, lease.Span.Length);
            Assert.Equal(length, lease.Segment.Count);
            Assert.Equal(0, lease.Segment.Offset);
            lease.Span.Fill(3);
            Assert.Equal(-1, lease.Segment.AsSpan().IndexOfAnyExcept((byte)3));
            lease.Dispose();
            Assert.Equal(length, lease.Length);
        }
    }

    [Fact]
    public void Repeated_disposal_returns_the_buffer_once()
    {
        BufferLease<byte> lease = _pool.Lease(100);
        byte[] array = lease.Segment.Array!;
        for (int i = 0; i < 5; i++)
        {
            lease.Dispose();
        }

        Assert.Equal(1, _pool.GetStatistics().Returned);
        byte[] again = _pool.Rent(100);
        Assert.Same(array, again);

        // The buffer belongs to another caller now, so a late Dispose must not return it.
        lease.Dispose();
        Assert.NotSame(array, _pool.Rent(100));
        Assert.Equal(1, _pool.GetStatistics().Returned);
    }

    [Fact]
    public void After_dispose_its_span_and_segment_throw()
    {
        BufferLease<byte> lease = _pool.Lease(100);
        lease.Dispose();
        AssertGone(ref lease);
    }

    [Fact]
    public void A_default_lease_has_no_buffer_and_may_be_disposed()
    {
        BufferLease<byte> lease = default;
        Assert.Equal(0, lease.Length);
        AssertGone(ref lease);
        lease.Dispose();
    }

    [Fact]
    public void Leases_nest_and_end_in_any_order()
    {
        BufferLease<byte> first = _pool.Lease(100);
        BufferLease<byte> second = _pool.Lease(100);
        BufferLease<byte> third = _pool.Lease(5000);
        BufferLease<byte> fourth = _pool.Lease(100);
        Assert.False(first.Span.Overlaps(second.Span) || second.Span.Overlaps(fourth.Span) || first.Span.Overlaps(fourth.Span));
        second.Dispose();
        first.Dispose();
        fourth.Dispose();
        third.Dispose();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        Assert.Equal(4, _pool.GetStatistics().Returned);
        _pool.Core.Validate();
    }

    [Fact]
    public void A_lease_that_outlives_a_trim_comes_back_all_the_same()
    {
        _pool.Return(_pool.Rent(100));
        BufferLease<byte> lease = _pool.Lease(100);
        byte[] array = lease.Segment.Array!;
        Worker.RunOnce(() => _pool.Trim());
        lease.Dispose();
        _pool.Core.Validate();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        Assert.Same(array, _pool.Rent(100));
    }

    [Fact]
    public void Leases_allocate_nothing()
    {
        Work();
        Work();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Work()
        {
            Span<byte> stack = stackalloc byte[16];
            for (int i = 0; i < 1000; i++)
            {
                using BufferLease<byte> lease = _pool.Lease(1000);
                using BufferLease<byte> another = _pool.Lease(1000);
                using ScratchBuffer<byte> scratch = new(stack, 3000, _pool);
                lease.Span[0] = another.Span[0] = scratch.Span[0] = 1;
            }
        }
    }

    [Fact]
    public void A_scratch_buffer_that_fits_the_stack_touches_no_pool()
    {
        Span<byte> stack = stackalloc byte[64];
        ScratchBuffer<byte> scratch = new(stack, 64, _pool);
        Assert.False(scratch.IsPooled);
        Assert.Equal(64, scratch.Span.Length);
        Assert.True(scratch.Span.Overlaps(stack));
        scratch.Dispose();
        scratch.Dispose();
        ScratchBuffer<byte> shorter = new(stack, 10, _pool);
        Assert.Equal(10, shorter.Span.Length);
        Assert.Equal(default, _pool.GetStatistics());
    }

    [Fact]
    public void A_scratch_buffer_that_does_not_fit_is_pooled_and_returned_once()
    {
        ScratchBuffer<byte> scratch = new(stackalloc byte[64], 65, _pool);
        Assert.True(scratch.IsPooled);
        Assert.Equal(65, scratch.Span.Length);
        scratch.Dispose();
        scratch.Dispose();
        Assert.Equal(1, _pool.GetStatistics().Returned);
        bool threw = false;
        try
        {
            _ = scratch.Span.Length;
        }
        catch (ObjectDisposedException)
        {
            threw = true;
        }

        Assert.True(threw);
    }

    [Fact]
    public void A_scratch_buffer_without_a_pool_uses_the_shared_one()
    {
        ScratchBuffer<Own> scratch = new([], 4097);
        Assert.Equal(5120, BufferPool<Own>.Shared.GetStatistics().InUseBytes);
        scratch.Dispose();
        Assert.Equal(0, BufferPool<Own>.Shared.GetStatistics().InUseBytes);
        default(ScratchBuffer<Own>).Dispose();
    }

    /// <summary>A byte whose shared pool no other test uses.</summary>
    private readonly record struct Own(byte Value);

    private static void AssertGone(ref BufferLease<byte> lease)
    {
        bool spanThrew = false;
        bool segmentThrew = false;
        try
        {
            _ = lease.Span;
        }
        catch (ObjectDisposedException)
        {
            spanThrew = true;
        }

        try
        {
            _ = lease.Segment;
        }
        catch (ObjectDisposedException)
        {
            segmentThrew = true;
        }

        Assert.True(spanThrew && segmentThrew);
    }
}
