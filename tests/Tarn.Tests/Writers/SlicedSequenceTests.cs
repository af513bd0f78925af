using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

/// <summary>Slices that a <see cref="SequenceBuilder{T}"/> takes over and gives out.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class SlicedSequenceTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly BufferPool<byte> _shared = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });

    [Fact]
    public void An_appended_slice_is_the_builders_and_no_copy_of_it_can_be_used()
    {
        CountedBuffer<byte> buffer = Fill(10);
        CountedSlice<byte> slice = buffer.Slice(2, 4);
        CountedSlice<byte> copy = slice;
        using SequenceBuilder<byte> builder = new(_pool);
        builder.Append(slice);
        foreach (CountedSlice<byte> ended in (CountedSlice<byte>[])[slice, copy, default])
        {
            Assert.Throws<ObjectDisposedException>(ended.Dispose);
            Assert.Throws<ObjectDisposedException>(() => ended.Span.Length);
            Assert.Throws<ObjectDisposedException>(() => ended.Slice());
            Assert.Throws<ObjectDisposedException>(() => builder.Append(ended));
        }

        Assert.Equal(2, buffer.HolderCount);
        buffer.Span[2] = 42;
        Assert.Equal([42, 3, 4, 5], builder.Sequence.ToArray());
        buffer.Dispose();
        Assert.Equal((0, 1), (_pool.GetStatistics().Rented, _shared.GetStatistics().Rented));
        builder.AdvanceTo(builder.Sequence.GetPosition(3));
        Assert.NotEqual(0, _shared.GetStatistics().InUseBytes);
        builder.AdvanceTo(builder.Sequence.End);
        Assert.Equal(0, _shared.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Slices_end_with_the_builder_or_with_what_it_detached()
    {
        SequenceBuilder<byte> builder = new(_pool);
        Action[] ends = [builder.Clear, () => builder.Detach().Dispose(), builder.Dispose];
        foreach (Action end in ends)
        {
            CountedBuffer<byte> buffer = Fill(10);
            builder.Append(buffer.Slice());
            builder.Write([1]);
            builder.Append(buffer.Slice(5));
            Assert.Equal(3, buffer.HolderCount);
            end();
            Assert.Equal(1, buffer.HolderCount);
            buffer.Dispose();
        }

        CountedBuffer<byte> late = Fill(1);
        Assert.Throws<ObjectDisposedException>(() => builder.Append(late.Slice()));
        Assert.Throws<ObjectDisposedException>(() => builder.Slice(0, 0));
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void A_slice_of_one_segment_or_of_one_slice_shares_its_memory_and_outlives_the_builder()
    {
        CountedBuffer<byte> buffer = Fill(10);
        SequenceBuilder<byte> builder = new(_pool);
        builder.Write([1, 2, 3]);
        builder.Append(buffer.Slice(1, 8));
        builder.Write([4, 5, 6]);
        CountedSlice<byte>[] own = [builder.Slice(0, 3), builder.Slice(12, 2), builder.Slice(1, 1)];
        CountedSlice<byte> appended = builder.Slice(5, 4);
        Assert.Equal((1, 1), (_pool.GetStatistics().Rented, _shared.GetStatistics().Rented));
        Assert.Equal(3, buffer.HolderCount);
        buffer.Span[3] = 42;
        builder.Write([7]);
        CountedSlice<byte> later = builder.Slice(11, 4);
        builder.Dispose();
        buffer.Dispose();
        Assert.Equal([1, 2, 3], own[0].Span.ToArray());
        Assert.Equal([5, 6], own[1].Span.ToArray());
        Assert.Equal([2], own[2].Span.ToArray());
        Assert.Equal([4, 5, 6, 7], later.Span.ToArray());
        Assert.Equal([42, 4, 5, 6], appended.Span.ToArray());
        Assert.Equal(1, _pool.GetStatistics().Rented);
        Assert.NotEqual(0, _pool.GetStatistics().InUseBytes);
        Array.ForEach(own, static slice => slice.Dispose());
        Assert.NotEqual(0, _pool.GetStatistics().InUseBytes);
        later.Dispose();
        appended.Dispose();
        Assert.Equal((0, 0), (_pool.GetStatistics().InUseBytes, _shared.GetStatistics().InUseBytes));
    }

    [Fact]
    public void A_slice_of_several_segments_and_of_memory_of_others_is_a_copy()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        byte[] foreign = [4, 5, 6];
        builder.Write([1, 2, 3]);
        builder.AppendReference(foreign);
        builder.Append(_shared.LeaseMemory(2));
        using CountedSlice<byte> both = builder.Slice(2, 2);
        using CountedSlice<byte> others = builder.Slice(3, 3);
        using CountedSlice<byte> owned = builder.Slice(6, 2);
        using CountedSlice<byte> none = builder.Slice(8, 0);
        foreign[0] = 0;
        Assert.Equal([3, 4], both.Span.ToArray());
        Assert.Equal([4, 5, 6], others.Span.ToArray());
        Assert.Equal((2, 0), (owned.Length, none.Length));
        Assert.Throws<ArgumentOutOfRangeException>("start", () => builder.Slice(9, 0));
        Assert.Throws<ArgumentOutOfRangeException>("start", () => builder.Slice(-1, 0));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => builder.Slice(7, 2));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => builder.Slice(7, -1));
    }

    [Fact]
    public void Positions_count_from_the_first_element_that_was_not_consumed()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        builder.Write([1, 2, 3, 4]);
        builder.AdvanceTo(builder.Sequence.GetPosition(2));
        using CountedSlice<byte> slice = builder.Slice(1, 1);
        using OwnedSequence<byte> detached = builder.Detach();
        using CountedSlice<byte> same = detached.Slice(1, 1);
        Assert.Equal([4], slice.Span.ToArray());
        Assert.True(slice.Span.Overlaps(same.Span));
        detached.Dispose();
        Assert.Throws<ObjectDisposedException>(() => detached.Slice(0, 0));
        Assert.Equal([4], same.Span.ToArray());
    }

    [Fact]
    public void A_builder_in_use_that_gives_and_takes_slices_allocates_nothing()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using SequenceBuilder<byte> builder = new(pool);
        Work();
        Work();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Work()
        {
            for (int i = 0; i < 100; i++)
            {
                using (CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(pool, 100))
                {
                    builder.Append(buffer.Slice(10));
                }

                builder.Write([1, 2, 3]);
                builder.Slice(10, 20).Dispose();
                builder.Slice(90, 3).Dispose();
                builder.Slice(80, 11).Dispose();
                builder.AdvanceTo(builder.Sequence.End);
            }

            builder.Clear();
        }
    }

    [Fact]
    public void References_do_not_stay_behind_in_shared_arrays()
    {
        BufferPool<object> pool = BufferPool<object>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        SequenceBuilder<object> builder = new(pool);
        builder.Write([this]);
        CountedSlice<object> slice = builder.Slice(0, 1);
        builder.Dispose();
        Assert.Same(this, slice.Span[0]);
        slice.Dispose();
        Assert.Null(pool.Rent(256)[0]);
    }

    [Fact]
    public void A_lost_slice_is_reported_with_the_stack_at_which_it_was_taken()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks);
        Lose(tested.Pool);
        Eventually.TrueAfterCollections(() => tested.Incidents.Count > 0, "the leak is reported");
        string? heldAt = tested.Incidents.WaitForOne().HeldAt;
        Assert.StartsWith("held by 1, taken", heldAt, StringComparison.Ordinal);
        Assert.Contains(nameof(LoseSlice), heldAt, StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Lose(BufferPool<byte> pool)
    {
        using SequenceBuilder<byte> builder = new(pool);
        builder.Write([1, 2, 3]);
        LoseSlice(builder);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LoseSlice(SequenceBuilder<byte> builder) => _ = builder.Slice(1, 1);

    private CountedBuffer<byte> Fill(int length)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(_shared, length);
        for (int i = 0; i < length; i++)
        {
            buffer.Span[i] = (byte)i;
        }

        return buffer;
    }
}
