namespace Tarn.Tests.Writers;

/// <summary>What a <see cref="PooledWriter{T}"/> promises, over memory of any kind: of what is written, and of where it refuses.</summary>
public abstract partial class PooledWriterContract : IDisposable
{
    private readonly WriterSource _source;

    private protected PooledWriterContract(WriterSource source) => _source = source;

    public void Dispose()
    {
        _source.Dispose();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(300)]
    [InlineData(4096)]
    public void What_is_written_in_pieces_is_there_in_order(int piece)
    {
        using PooledWriter<byte> writer = Create();
        List<byte> expected = [];
        for (byte i = 0; i < 40; i++)
        {
            byte[] bytes = [.. Enumerable.Repeat(i, piece)];
            writer.Write(bytes);
            bytes.CopyTo(writer.GetSpan(piece));
            writer.Advance(piece);
            bytes.CopyTo(writer.GetMemory(piece));
            writer.Advance(piece);
            writer.Write(i);
            expected.AddRange([.. bytes, .. bytes, .. bytes, i]);
        }

        Assert.Equal(expected, writer.WrittenSpan.ToArray());
        Assert.Equal(expected, writer.WrittenMemory.ToArray());
        Assert.Equal(expected.Count, writer.WrittenCount);
        Assert.InRange(writer.Capacity, expected.Count, Math.Max(256, 3 * expected.Count));
    }

    [Fact]
    public void Room_is_never_empty_and_at_least_as_long_as_asked()
    {
        using PooledWriter<byte> writer = Create(capacity: 16);
        foreach (int sizeHint in (int[])[0, 0, 1, writer.Capacity, 5000, 0])
        {
            int room = writer.GetSpan(sizeHint).Length;
            Assert.InRange(room, Math.Max(1, sizeHint), int.MaxValue);
            Assert.Equal(room, writer.GetMemory(sizeHint).Length);
            writer.Advance(room);
        }
    }

    [Fact]
    public void An_advance_past_the_room_or_backwards_changes_nothing()
    {
        using PooledWriter<byte> writer = Create();
        Assert.Throws<ArgumentOutOfRangeException>("count", () => writer.Advance(1));
        writer.Write([1, 2, 3]);
        int room = writer.GetSpan().Length;
        foreach (int count in (int[])[-1, int.MinValue, room + 1, int.MaxValue])
        {
            Assert.Throws<ArgumentOutOfRangeException>("count", () => writer.Advance(count));
        }

        Assert.Equal([1, 2, 3], writer.WrittenSpan.ToArray());
        writer.Advance(0);
        writer.Advance(room);
        Assert.Equal(3 + room, writer.WrittenCount);
    }

    [Fact]
    public void Wrong_arguments_are_named()
    {
        Assert.Throws<ArgumentOutOfRangeException>("capacity", () => Create(-1));
        Assert.Throws<ArgumentOutOfRangeException>("capacity", () => Create(capacity: 11, maxCount: 10));
        Assert.Throws<ArgumentOutOfRangeException>("maxCount", () => Create(maxCount: -1));
        using PooledWriter<byte> writer = Create();
        Assert.Throws<ArgumentOutOfRangeException>("sizeHint", () => writer.GetSpan(-1));
        Assert.Throws<ArgumentOutOfRangeException>("sizeHint", () => writer.GetMemory(int.MinValue));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => writer.Reserve(-1));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    [InlineData(1000)]
    public void Past_its_maximum_a_writer_refuses_and_loses_nothing(int maximum)
    {
        using PooledWriter<byte> writer = Create(maxCount: maximum);
        byte[] contents = [.. Enumerable.Range(0, maximum).Select(static i => (byte)i)];
        writer.Write(contents);
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => writer.Write(1));
        Assert.Contains($"maximum of {maximum}", refused.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => writer.GetMemory(int.MaxValue));
        Assert.Throws<InvalidOperationException>(() => writer.Write([1]));
        Assert.Throws<InvalidOperationException>(() => writer.Reserve(1));
        int room = writer.GetSpan().Length;
        Assert.Throws<InvalidOperationException>(() => writer.Advance(1));
        Assert.Throws<InvalidOperationException>(() => writer.Advance(room));
        Assert.Throws<ArgumentOutOfRangeException>("count", () => writer.Advance(room + 1));

        Assert.Equal(contents, writer.WrittenSpan.ToArray());
        Assert.Equal(maximum, writer.MaxCount);
        Assert.InRange(writer.Capacity, 0, maximum);
        writer.Clear();
        writer.Write(contents);
        Assert.Equal(contents, writer.WrittenSpan.ToArray());
    }

    [Fact]
    public void A_length_that_no_array_has_is_refused_without_an_overflow()
    {
        using PooledWriter<byte> writer = Create();
        writer.Write([1, 2, 3]);
        Assert.Equal(Array.MaxLength, writer.MaxCount);
        Assert.Throws<InvalidOperationException>(() => writer.GetSpan(int.MaxValue));
        Assert.Throws<InvalidOperationException>(() => writer.Reserve(Array.MaxLength - 2));
        Assert.Equal([1, 2, 3], writer.WrittenSpan.ToArray());
    }

    /// <summary>The checks overwrite what comes back, so a source that was returned too early is seen.</summary>
    [Fact]
    public void A_writer_may_write_a_part_of_its_own_contents()
    {
        using PooledWriter<byte> writer = Create();
        writer.Write([1, 2, 3, 4]);
        List<byte> expected = [1, 2, 3, 4];
        for (int i = 0; i < 18; i++)
        {
            writer.Write(writer.WrittenSpan[1..]);
            expected.AddRange([.. expected[1..]]);
        }

        Assert.Equal(expected, writer.WrittenSpan.ToArray());
    }

    [Fact]
    public void Clear_keeps_the_buffer_and_a_writer_in_use_allocates_nothing()
    {
        using PooledWriter<byte> writer = Create();
        Work();
        Work();
        int capacity = writer.Capacity;
        long inUse = _source.InUseBytes;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal((capacity, inUse), (writer.Capacity, _source.InUseBytes));

        void Work()
        {
            writer.Clear();
            for (int i = 0; i < 1000; i++)
            {
                WriterReservation<byte> place = writer.Reserve(4);
                writer.Write([1, 2, 3]);
                writer.GetSpan(100)[0] = 1;
                writer.Advance(100);
                place.Span[0] = 103;
            }
        }
    }

    private PooledWriter<byte> Create(int capacity = 0, int maxCount = int.MaxValue) => _source.Create(capacity, maxCount);
}
