using System.Buffers;

namespace Tarn.Tests.Streams;

/// <summary>Refused options, and streams that may not grow: a refusal leaves them unchanged.</summary>
public sealed class LimitTests : IDisposable
{
    private const int Limit = 5000;

    private static readonly Dictionary<string, Func<PooledMemoryStream, Task>> s_growing = new()
    {
        ["Write array"] = static stream => Do(() => stream.Write(new byte[Limit], 0, Limit)),
        ["Write span"] = static stream => Do(() => stream.Write(new byte[Limit].AsSpan())),
        ["WriteAsync array"] = static stream => stream.WriteAsync(new byte[Limit], 0, Limit),
        ["WriteAsync memory"] = static stream => stream.WriteAsync(new byte[Limit].AsMemory()).AsTask(),
        ["Write sequence"] = static stream => Do(() => stream.Write(new ReadOnlySequence<byte>(new byte[Limit]))),
        ["SetLength"] = static stream => Do(() => stream.SetLength(Limit + 1)),
        ["CopyFrom"] = static stream => Do(() => stream.CopyFrom(new MemoryStream(new byte[Limit]))),
        ["CopyFromAsync"] = static stream => stream.CopyFromAsync(new MemoryStream(new byte[Limit])).AsTask(),
        ["Advance"] = static stream => Do(() => { stream.GetSpan(Limit); stream.Advance(Limit); }),
    };

    private readonly OwnMemory _memory = new();

    public static TheoryData<string> Growing => [.. s_growing.Keys];

    public void Dispose() => _memory.Dispose();

    [Theory]
    [MemberData(nameof(Growing))]
    public async Task Past_its_limit_a_stream_stays_as_it_was(string member)
    {
        PooledMemoryStreamOptions[] all =
            [_memory.InPool, _memory.InHeap, new PooledMemoryStreamOptions(_memory.InPool) { Clearing = StreamClearing.OnReturn }];
        foreach (PooledMemoryStreamOptions options in all)
        {
            foreach (int length in (int[])[1, 300, Limit])
            {
                foreach (int position in (int[])[1, length / 2, length, Limit])
                {
                    using PooledMemoryStream stream = new(new PooledMemoryStreamOptions(options) { MaxCapacity = Limit });
                    Contents.WriteInPieces(stream, Contents.Of(length), 100);
                    stream.Position = Math.Max(1, position);
                    (long at, long capacity) = (stream.Position, stream.LongCapacity);
                    await Assert.ThrowsAsync<IOException>(() => s_growing[member](stream));
                    Assert.Equal((at, capacity, length), (stream.Position, stream.LongCapacity, stream.Length));
                    Contents.Verify(stream, Contents.Of(length));
                    stream.SetLength(Limit);
                    Contents.Verify(stream, [.. Contents.Of(length), .. new byte[Limit - length]]);
                }
            }
        }

        _memory.AssertNothingInUse();
    }

    [Theory]
    [InlineData((1L << 47) + 1)]
    [InlineData(long.MaxValue)]
    public void A_length_that_no_process_has_addresses_for_is_refused_as_one_above_the_limit(long length)
    {
        foreach (PooledMemoryStreamOptions options in
            (PooledMemoryStreamOptions[])
                [_memory.InPool, _memory.InHeap, new PooledMemoryStreamOptions(_memory.InPool) { MaxCapacity = long.MaxValue }])
        {
            Assert.Equal("capacity", Assert.Throws<ArgumentOutOfRangeException>(() => new PooledMemoryStream(options, length)).ParamName);
            using PooledMemoryStream stream = new(options);
            AssertRefused<IOException>(stream, length, () => stream.SetLength(length));
            AssertRefused<IOException>(stream, length, () => stream.WriteByte(1));
            Assert.Throws<ArgumentOutOfRangeException>("value", () => stream.LongCapacity = length);
        }

        _memory.AssertNothingInUse();
    }

    [Fact]
    public void A_length_that_no_machine_has_memory_for_is_refused_at_once()
    {
        const long Length = 1L << 46;
        using PooledMemoryStream stream = new(_memory.InPool);
        AssertRefused<OutOfMemoryException>(stream, Length, () => stream.SetLength(Length));
        AssertRefused<OutOfMemoryException>(stream, Length, () => stream.LongCapacity = Length);
        AssertRefused<OutOfMemoryException>(stream, Length, () => stream.WriteByte(1));
    }

    [Fact]
    public void A_capacity_that_was_rounded_up_beyond_an_int_reads_as_the_largest()
    {
        using PooledMemoryStream stream = new(_memory.InHeap);
        stream.Capacity = Array.MaxLength;
        Assert.InRange(stream.LongCapacity, 1L + int.MaxValue, long.MaxValue);
        Assert.Equal(int.MaxValue, stream.Capacity);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(255)]
    [InlineData(4097)]
    public void Up_to_its_limit_it_grows_and_not_a_byte_further(int limit)
    {
        foreach (PooledMemoryStreamOptions options in (PooledMemoryStreamOptions[])[_memory.InPool, _memory.InHeap])
        {
            using PooledMemoryStream stream = new(new PooledMemoryStreamOptions(options) { MaxCapacity = limit });
            byte[] contents = Contents.Of(limit);
            Array.ForEach(contents, stream.WriteByte);
            Assert.Throws<IOException>(() => stream.WriteByte(1));
            Assert.InRange(stream.GetSpan(300).Length, 300, int.MaxValue);
            Assert.Throws<IOException>(() => stream.Advance(1));
            stream.Advance(0);
            Assert.Equal(limit, stream.LongCapacity);
            Contents.Verify(stream, contents);
            Assert.Equal("value", Assert.Throws<ArgumentOutOfRangeException>(() => stream.LongCapacity = limit + 1).ParamName);
            Assert.Equal("value", Assert.Throws<ArgumentOutOfRangeException>(() => stream.Capacity = limit + 1).ParamName);
        }
    }

    [Fact]
    public void Options_that_contradict_each_other_or_make_no_sense_are_refused()
    {
        Assert.Equal(
            "options",
            Assert.Throws<ArgumentException>(
                () => new PooledMemoryStream(new PooledMemoryStreamOptions { Pool = _memory.Pool, Heap = _memory.Heap })).ParamName);
        Assert.Throws<ArgumentNullException>("options", () => new PooledMemoryStream((PooledMemoryStreamOptions)null!));
        Assert.Equal("capacity", Assert.Throws<ArgumentOutOfRangeException>(() => new PooledMemoryStream(-1)).ParamName);
        Assert.Equal(
            "capacity",
            Assert.Throws<ArgumentOutOfRangeException>(
                () => new PooledMemoryStream(new PooledMemoryStreamOptions(_memory.InPool) { MaxCapacity = 5 }, 6)).ParamName);
        Assert.Throws<ArgumentOutOfRangeException>(() => new PooledMemoryStreamOptions(_memory.InPool) { MaxCapacity = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new PooledMemoryStreamOptions(_memory.InPool) { ParallelCopyThreshold = -1 });
        PooledMemoryStreamOptions unnamed = new PooledMemoryStreamOptions(_memory.InPool) { Clearing = (StreamClearing)99 };
        Assert.Equal("options", Assert.Throws<ArgumentOutOfRangeException>(() => new PooledMemoryStream(unnamed)).ParamName);
        _memory.AssertNothingInUse();
    }

    [Fact]
    public void Room_is_taken_in_one_segment_and_given_back_by_segments()
    {
        using PooledMemoryStream stream = new(_memory.InPool, capacity: 100_000);
        Assert.InRange(stream.LongCapacity, 100_000, 125_000);
        stream.Write(Contents.Of(100_000));
        Assert.True(stream.GetReadOnlySequence().IsSingleSegment);
        stream.LongCapacity = 1_000_000;
        long inUse = _memory.InUse;
        Assert.InRange(inUse, 1_000_000, 1_250_000);
        stream.LongCapacity = 100_000;
        Assert.InRange(_memory.InUse, 100_000, 125_000);
        Contents.Verify(stream, Contents.Of(100_000));
        stream.SetLength(0);
        stream.LongCapacity = 0;
        _memory.AssertNothingInUse();
    }

    private static Task Do(Action action)
    {
        action();
        return Task.CompletedTask;
    }

    /// <summary>From just before <paramref name="length"/>, an action throws and changes nothing.</summary>
    private static void AssertRefused<TException>(PooledMemoryStream stream, long length, Action action)
        where TException : Exception
    {
        stream.SetLength(0);
        stream.Write(Contents.Of(1000));
        long capacity = stream.LongCapacity;
        stream.Position = length - 1;

        Assert.Throws<TException>(action);

        Assert.Equal((length - 1, capacity), (stream.Position, stream.LongCapacity));
        Contents.Verify(stream, Contents.Of(1000));
    }
}
