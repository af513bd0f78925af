namespace Tarn.Tests.Streams;

/// <summary>Another stream's bytes, read straight into this one.</summary>
public sealed class CopyFromTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    public static TheoryData<bool, bool, int, int> Sources
    {
        get
        {
            TheoryData<bool, bool, int, int> sources = [];
            foreach (bool isAsync in (bool[])[false, true])
            {
                foreach (bool canSeek in (bool[])[false, true])
                {
                    (int, int)[] pieces = [(0, 1), (1, 1), (256, 256), (5000, 3), (100_000, 999), (1_000_000, int.MaxValue)];
                    foreach ((int length, int most) in pieces)
                    {
                        sources.Add(isAsync, canSeek, length, most);
                    }
                }
            }

            return sources;
        }
    }

    public void Dispose() => _memory.Dispose();

    [Theory]
    [MemberData(nameof(Sources))]
    public async Task It_is_appended_wherever_the_position_was(bool isAsync, bool canSeek, int length, int most)
    {
        byte[] before = Contents.Of(300);
        byte[] contents = Contents.Of(length, seed: 2);
        foreach (PooledMemoryStreamOptions options in (PooledMemoryStreamOptions[])[_memory.InPool, _memory.InHeap])
        {
            using PooledMemoryStream stream = new(options);
            stream.Write(before);
            stream.Position = 10;
            using TricklingStream source = new(contents, most, canSeek);
            Assert.Equal(length, isAsync ? await stream.CopyFromAsync(source) : stream.CopyFrom(source));
            Assert.Equal(300 + length, stream.Position);
            Contents.Verify(stream, [.. before, .. contents]);
        }

        _memory.AssertNothingInUse();
    }

    [Fact]
    public void Only_the_rest_of_a_source_in_one_segment_if_it_knows_its_length()
    {
        using MemoryStream source = new(Contents.Of(100_000));
        source.Position = 1000;
        using PooledMemoryStream stream = new(_memory.InPool);
        Assert.Equal(99_000, stream.CopyFrom(source));
        Contents.Verify(stream, Contents.Of(100_000).AsSpan(1000));
        Assert.True(stream.GetReadOnlySequence().IsSingleSegment);
        source.Position = 200_000;
        Assert.Equal(0, stream.CopyFrom(source));
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(false, 3000)]
    [InlineData(true, 0)]
    [InlineData(true, 3000)]
    public async Task Bytes_read_before_a_source_failed_stay(bool isAsync, int failsAt)
    {
        using PooledMemoryStream stream = new(_memory.InPool);
        stream.Write(Contents.Of(10));
        using TricklingStream source = new(Contents.Of(5000, seed: 2), 700, failsAt: failsAt);
        await Assert.ThrowsAsync<IOException>(async () => _ = isAsync ? await stream.CopyFromAsync(source) : stream.CopyFrom(source));
        Contents.Verify(stream, [.. Contents.Of(10), .. Contents.Of(5000, seed: 2)[..failsAt]]);
        stream.Dispose();
        _memory.AssertNothingInUse();
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_source_longer_than_the_limit_is_refused_at_once_if_it_knows_its_length(bool isAsync, bool canSeek)
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions(_memory.InPool) { MaxCapacity = 2000 });
        stream.Write(Contents.Of(100));
        stream.Position = 7;
        using TricklingStream source = new(Contents.Of(1901, seed: 2), 300, canSeek);
        await Assert.ThrowsAsync<IOException>(async () => _ = isAsync ? await stream.CopyFromAsync(source) : stream.CopyFrom(source));
        byte[] after = stream.ToArray();
        if (canSeek)
        {
            Assert.Equal((0, 7), (source.Reads, stream.Position));
            Contents.Verify(stream, Contents.Of(100));
        }
        else
        {
            Assert.Equal([.. Contents.Of(100), .. Contents.Of(1901, seed: 2)[..(after.Length - 100)]], after);
            Assert.InRange(after.Length, 1000, 2000);
        }

        stream.SetLength(100);
        using TricklingStream fits = new(Contents.Of(1900, seed: 3), 300, canSeek);
        Assert.Equal(1900, isAsync ? await stream.CopyFromAsync(fits) : stream.CopyFrom(fits));
        Contents.Verify(stream, [.. Contents.Of(100), .. Contents.Of(1900, seed: 3)]);
    }

    [Fact]
    public async Task Sources_that_cannot_be_read_and_the_stream_itself_are_refused()
    {
        using PooledMemoryStream stream = new(_memory.InPool);
        stream.Write(Contents.Of(100));
        MemoryStream disposed = new();
        await disposed.DisposeAsync();
        using Stream view = stream.OpenRead();
        Assert.Equal("source", Assert.Throws<ArgumentNullException>(() => stream.CopyFrom(null!)).ParamName);
        Assert.Equal("source", Assert.Throws<ArgumentException>(() => stream.CopyFrom(stream)).ParamName);
        Assert.Equal("source", Assert.Throws<ArgumentException>(() => stream.CopyFrom(view)).ParamName);
        Assert.Throws<ObjectDisposedException>(() => stream.CopyFrom(disposed));
        Assert.Throws<NotSupportedException>(() => stream.CopyFrom(new WriteOnlyStream()));
        Assert.Throws<ArgumentNullException>(() => { _ = stream.CopyFromAsync(null!).AsTask(); });
        Assert.Throws<ArgumentException>(() => { _ = stream.CopyFromAsync(view).AsTask(); });
        using MemoryStream source = new(new byte[10]);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await stream.CopyFromAsync(source, new CancellationToken(canceled: true)));
        Contents.Verify(stream, Contents.Of(100));
        await stream.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => stream.CopyFrom(source));
        Assert.Throws<ObjectDisposedException>(() => { _ = stream.CopyFromAsync(source).AsTask(); });
    }

    [Fact]
    public async Task A_view_of_another_stream_is_a_source_like_any_other()
    {
        using PooledMemoryStream other = new(_memory.InPool);
        Contents.WriteInPieces(other, Contents.Of(50_000), 100);
        using PooledMemoryStream stream = new(_memory.InPool);
        await using Stream view = other.OpenRead();
        Assert.Equal(50_000, await stream.CopyFromAsync(view));
        Contents.Verify(stream, Contents.Of(50_000));
    }

    [Fact]
    public void A_source_that_says_it_read_more_than_it_was_given_is_found_out()
    {
        using PooledMemoryStream stream = new(_memory.InPool, capacity: 100);
        using LyingStream source = new();
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.CopyFrom(source));
        Assert.Equal(0, stream.Length);
    }

    private sealed class WriteOnlyStream : MemoryStream
    {
        public override bool CanRead => false;
    }

    private sealed class LyingStream : MemoryStream
    {
        public override bool CanSeek => false;

        public override int Read(Span<byte> buffer) => buffer.Length + 1;
    }
}
