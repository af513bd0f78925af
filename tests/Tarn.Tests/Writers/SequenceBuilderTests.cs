using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class SequenceBuilderTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });

    [Fact]
    public void Own_owned_and_foreign_elements_follow_each_other_without_a_copy()
    {
        byte[] foreign = [7, 8, 9];
        Owner owner = new([4, 5, 6]);
        using SequenceBuilder<byte> builder = new(_pool);
        Assert.True(builder.Sequence.IsEmpty);
        builder.Write([1, 2, 3]);
        ReadOnlySequence<byte> early = builder.Sequence;
        builder.Append(owner);
        builder.AppendReference(foreign);
        builder.AppendReference(default);
        builder.Write([10]);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], builder.Sequence.ToArray());
        Assert.Equal([1, 2, 3], early.ToArray());
        Assert.Equal(10, builder.Length);
        foreign[0] = 70;
        owner.Array[0] = 40;
        Assert.Equal([1, 2, 3, 40, 5, 6, 70, 8, 9, 10], builder.Sequence.ToArray());
        Assert.Equal(1, _pool.GetStatistics().Rented);
    }

    [Fact]
    public void Memory_goes_back_as_soon_as_its_elements_are_consumed()
    {
        Owner first = new([1, 2]);
        Owner second = new([3, 4]);
        using SequenceBuilder<byte> builder = new(_pool);
        builder.Append(first);
        builder.Append(second);
        builder.Write(new byte[300]);
        builder.AppendReference(new byte[5]);
        builder.AdvanceTo(builder.Sequence.GetPosition(1));
        Assert.Equal((0, 0), (first.Disposals, second.Disposals));
        Assert.Equal(2, builder.Sequence.FirstSpan[0]);
        builder.AdvanceTo(builder.Sequence.GetPosition(1));
        builder.AdvanceTo(builder.Sequence.GetPosition(1));
        Assert.Equal((1, 0), (first.Disposals, second.Disposals));
        builder.AdvanceTo(builder.Sequence.GetPosition(1));
        Assert.Equal((1, 1), (first.Disposals, second.Disposals));
        Assert.NotEqual(0, _pool.GetStatistics().InUseBytes);
        builder.AdvanceTo(builder.Sequence.GetPosition(301));
        Assert.Equal((0L, 4L), (_pool.GetStatistics().InUseBytes, builder.Length));
        builder.AdvanceTo(builder.Sequence.End);
        builder.AdvanceTo(builder.Sequence.End);
        Assert.Equal(0, builder.Length);
        builder.Write([1]);
        Assert.Equal([1], builder.Sequence.ToArray());
    }

    [Fact]
    public void Headers_between_payloads_share_one_array()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        List<byte> expected = [];
        for (byte i = 0; i < 20; i++)
        {
            builder.Write([i, i]);
            builder.AppendReference(new byte[] { 100, i });
            expected.AddRange([i, i, 100, i]);
        }

        Assert.Equal(expected, builder.Sequence.ToArray());
        Assert.Equal(1, _pool.GetStatistics().Rented);
        builder.AdvanceTo(builder.Sequence.GetPosition(78));
        Assert.Equal([100, 19], builder.Sequence.ToArray());
        AssertAllReturned();
    }

    [Fact]
    public void Room_that_was_not_written_to_is_in_no_sequence_and_is_used_again()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        builder.GetSpan(4);
        builder.AppendReference(new byte[] { 1, 2, 3 });
        Assert.Equal([1, 2, 3], builder.Sequence.FirstSpan.ToArray());
        builder.Write([4]);
        Assert.Equal(1, _pool.GetStatistics().Rented);
        builder.AdvanceTo(builder.Sequence.GetPosition(3));
        builder.AdvanceTo(builder.Sequence.End);
        builder.Append(new Owner([5]));
        Assert.Equal([5], builder.Sequence.FirstSpan.ToArray());
        builder.Write([6, 7]);
        Assert.Equal([5, 6, 7], builder.Sequence.ToArray());
        Assert.Equal(1, _pool.GetStatistics().Rented);
    }

    /// <summary>Between a request for room and its advance, what was received before may be consumed.</summary>
    [Fact]
    public void Room_outlives_the_consumption_of_what_precedes_it()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        builder.Write([1]);
        builder.AppendReference(new byte[] { 2 });
        foreach (int length in (int[])[10, 5000])
        {
            Memory<byte> room = builder.GetMemory(length);
            room.Span[..length].Fill(7);
            builder.AdvanceTo(builder.Sequence.End);
            builder.Advance(length);
            Assert.Equal(Enumerable.Repeat((byte)7, length), builder.Sequence.ToArray());
            builder.AppendReference(new byte[] { 2 });
        }

        builder.Clear();
        AssertAllReturned();
    }

    [Fact]
    public void An_owner_without_elements_is_disposed_at_once()
    {
        Owner owner = new([]);
        using SequenceBuilder<byte> builder = new(_pool);
        builder.Append(owner);
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(_pool, 10);
        builder.Append(buffer.Slice(10));
        Assert.Equal((1, 1), (owner.Disposals, buffer.HolderCount));
        Assert.True(builder.Sequence.IsEmpty);
        buffer.Dispose();
    }

    [Fact]
    public void A_position_elsewhere_is_refused_and_gives_nothing_up()
    {
        using SequenceBuilder<byte> builder = new(_pool);
        using SequenceBuilder<byte> other = new(_pool);
        builder.AdvanceTo(builder.Sequence.Start);
        builder.Write([1, 2, 3]);
        builder.AppendReference(new byte[2]);
        other.Write([1, 2, 3]);
        SequencePosition start = builder.Sequence.Start;
        builder.AdvanceTo(builder.Sequence.GetPosition(2));
        SequencePosition[] wrong =
        [
            start, other.Sequence.Start, default, new(builder.Sequence.Start.GetObject(), 4), new(builder.Sequence.End.GetObject(), 3),
            new(builder.Sequence.End.GetObject(), -1), ReadOnlySequence<byte>.Empty.Start,
        ];
        foreach (SequencePosition position in wrong)
        {
            Assert.Throws<ArgumentException>("consumed", () => builder.AdvanceTo(position));
        }

        Assert.Equal([3, 0, 0], builder.Sequence.ToArray());
    }

    [Fact]
    public void Detached_elements_outlive_the_builder_and_go_back_once()
    {
        Owner owner = new([4, 5, 6]);
        SequenceBuilder<byte> builder = new(_pool);
        builder.Write([1, 2, 3]);
        builder.Append(owner);
        OwnedSequence<byte> detached = builder.Detach();
        Assert.Equal(0, builder.Length);
        builder.Write([255]);
        using OwnedSequence<byte> second = builder.Detach();
        builder.Dispose();
        Assert.Equal([1, 2, 3, 4, 5, 6], detached.Sequence.ToArray());
        Assert.Equal(6, detached.Length);
        Parallel.Invoke(detached.Dispose, detached.Dispose);
        Assert.Equal(1, owner.Disposals);
        Assert.Throws<ObjectDisposedException>(() => detached.Sequence);
        Assert.Equal([255], second.Sequence.ToArray());
        second.Dispose();
        AssertAllReturned();
    }

    [Fact]
    public void A_disposed_builder_throws_in_every_member_and_owns_nothing_more()
    {
        Owner appended = new([1]);
        Owner late = new([1]);
        SequenceBuilder<byte> builder = new(_pool);
        builder.Write([1]);
        builder.Append(appended);
        Parallel.Invoke(builder.Dispose, builder.Dispose);
        Action[] calls =
        [
            () => builder.GetSpan(), () => builder.GetMemory(5), () => builder.Advance(0), () => builder.Advance(1),
            () => builder.Write([]),
            () => builder.Write([1]), () => builder.Append(late), () => builder.AppendReference(new byte[1]), () => builder.Clear(),
            () => builder.AdvanceTo(default), () => builder.Detach(), () => _ = builder.Length, () => _ = builder.Sequence,
        ];
        Assert.All(calls, static call => Assert.Throws<ObjectDisposedException>(call));
        Assert.Equal((1, 0), (appended.Disposals, late.Disposals));
        AssertAllReturned();
    }

    [Fact]
    public void An_owner_that_throws_keeps_no_other_memory_from_going_back()
    {
        SequenceBuilder<byte> builder = new(_pool);
        Action[] ends =
        [
            () => builder.AdvanceTo(builder.Sequence.GetPosition(5)), builder.Clear, () => builder.Detach().Dispose(), builder.Dispose,
        ];
        foreach (Action end in ends)
        {
            Owner after = new([4]);
            builder.Write([1, 2]);
            builder.Append(new Owner([3]) { Fails = true });
            builder.Append(after);
            builder.AppendReference(new byte[] { 5, 6 });
            Assert.Throws<InvalidCastException>(end);
            Assert.Equal(1, after.Disposals);
            if (end == ends[0])
            {
                Assert.Equal([6], builder.Sequence.ToArray());
                builder.Clear();
            }
        }

        AssertAllReturned();
    }

    [Fact]
    public void Refused_calls_change_nothing()
    {
        Assert.Throws<ArgumentNullException>("pool", () => new SequenceBuilder<byte>(null!));
        using SequenceBuilder<Huge> builder = new();
        Assert.Throws<ArgumentNullException>("owner", () => builder.Append(null!));
        Assert.Throws<ArgumentOutOfRangeException>("sizeHint", () => builder.GetSpan(-1));
        Assert.Throws<ArgumentOutOfRangeException>("count", () => builder.Advance(1));
        builder.Write([new Huge { First = 7 }]);
        int room = builder.GetSpan().Length;
        Assert.Throws<ArgumentOutOfRangeException>("count", () => builder.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>("count", () => builder.Advance(room + 1));
        Assert.Throws<OutOfMemoryException>(() => builder.GetSpan(1 << 30));
        Assert.Throws<OutOfMemoryException>(() => builder.GetMemory(int.MaxValue));
        Assert.Throws<ObjectDisposedException>(() => Append(builder));
        Assert.Equal((1L, (byte)7), (builder.Length, builder.Sequence.FirstSpan[0].First));
        Assert.Equal(room, builder.GetSpan().Length);

        static void Append(SequenceBuilder<Huge> builder)
        {
            IMemoryOwner<Huge> owner = BufferPool<Huge>.Shared.LeaseMemory(1);
            owner.Dispose();
            builder.Append(owner);
        }
    }

    [Fact]
    public void A_builder_in_use_allocates_nothing_and_references_do_not_stay_behind()
    {
        using SequenceBuilder<byte> builder = new(BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None }));
        byte[] foreign = new byte[10];
        Work();
        Work();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        BufferPool<object> pool = BufferPool<object>.Create();
        using (SequenceBuilder<object> objects = new(pool))
        {
            objects.Write([this]);
        }

        Assert.Null(pool.Rent(256)[0]);

        void Work()
        {
            for (int i = 0; i < 100; i++)
            {
                builder.Write(foreign);
                builder.AppendReference(foreign);
                builder.GetSpan(3000)[0] = 1;
                builder.Advance(3000);
                builder.AdvanceTo(builder.Sequence.GetPosition(builder.Length / 2));
            }

            builder.Clear();
        }
    }

    private void AssertAllReturned()
    {
        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.Equal((0L, statistics.Rented), (statistics.InUseBytes, statistics.Returned));
    }

    private sealed class Owner(byte[] array) : IMemoryOwner<byte>
    {
        internal byte[] Array => array;

        internal int Disposals { get; private set; }

        internal bool Fails { get; init; }

        public Memory<byte> Memory => array;

        public void Dispose()
        {
            Disposals++;
            if (Fails)
            {
                throw new InvalidCastException();
            }
        }
    }
}
