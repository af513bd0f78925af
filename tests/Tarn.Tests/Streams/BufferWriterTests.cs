
namespace Tarn.Tests.Streams;

/// <summary>Writing in place, in every state a stream can be in.</summary>
public sealed class BufferWriterTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    /// <summary>The end of the stream, and the requested size.</summary>
    public static TheoryData<bool, int, int> Ends
    {
        get
        {
            TheoryData<bool, int, int> ends = [];
            foreach (bool native in (bool[])[false, true])
            {
                foreach (int length in (int[])[0, 1, 255, 256, 4095, 4096, 10_000])
                {
                    foreach (int hint in (int[])[0, 1, 300, 5000, 2_000_000])
                    {
                        ends.Add(native, length, hint);
                    }
                }
            }

            return ends;
        }
    }

    public void Dispose() => _memory.Dispose();

    [Theory]
    [MemberData(nameof(Ends))]
    public void At_the_end_it_is_the_streams_own_memory(bool native, int length, int hint)
    {
        byte[] contents = Contents.Of(length);
        byte[] more = Contents.Of(Math.Max(hint, 1), seed: 9);
        using (PooledMemoryStream stream = new(native ? _memory.InHeap : _memory.InPool))
        {
            Contents.WriteInPieces(stream, contents, 100);
            Assert.InRange(stream.GetMemory(hint).Length, more.Length, int.MaxValue);
            Assert.InRange(stream.GetSpan(hint).Length, more.Length, int.MaxValue);
            Contents.Verify(stream, contents);
            stream.Position = length;
            more.CopyTo(stream.GetSpan(hint));
            stream.Advance(more.Length);
            Assert.Equal(length + more.Length, stream.Position);
            Contents.Verify(stream, [.. contents, .. more]);
        }

        _memory.AssertNothingInUse();
    }

    [Theory]
    [InlineData(0, 100)]
    [InlineData(100, 5000)]
    [InlineData(9_000, 2000)]
    [InlineData(12_000, 30)]
    public void Elsewhere_the_contents_change_with_the_advance_and_not_before(int position, int count)
    {
        byte[] contents = Contents.Of(10_000);
        byte[] more = Contents.Of(count, seed: 3);
        using (PooledMemoryStream stream = new(_memory.InPool))
        {
            Contents.WriteInPieces(stream, contents, 100);
            stream.Position = position;
            more.CopyTo(stream.GetSpan(count));
            Assert.Equal(contents, stream.ToArray());
            stream.Advance(count);
            byte[] expected = new byte[Math.Max(10_000, position + count)];
            contents.CopyTo(expected, 0);
            more.CopyTo(expected, position);
            Contents.Verify(stream, expected);
            Assert.Equal(position + count, stream.Position);
        }

        _memory.AssertNothingInUse();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    [InlineData(10_000)]
    [InlineData(20_000)]
    public void Room_that_was_asked_for_and_not_used_goes_back_with_the_rest(int position)
    {
        PooledMemoryStreamOptions[] all =
            [_memory.InPool, new PooledMemoryStreamOptions(_memory.InPool) { Clearing = StreamClearing.OnReturn }];
        foreach (PooledMemoryStreamOptions options in all)
        {
            PooledMemoryStream stream = new(options);
            Contents.WriteInPieces(stream, Contents.Of(10_000), 100);
            stream.Position = position;
            stream.GetSpan(10);
            stream.GetSpan(100_000);
            stream.GetMemory();
            Contents.Verify(stream, Contents.Of(10_000));
            stream.Dispose();
            _memory.AssertNothingInUse();

            stream = new PooledMemoryStream(options) { Position = position };
            stream.GetSpan(10);
            stream.Detach().Dispose();
            stream.GetSpan(10);
            stream.LongCapacity = 0;
            _memory.AssertNothingInUse();
            stream.GetSpan(10);
            stream.Dispose();
            _memory.AssertNothingInUse();
        }
    }

    [Fact]
    public void Room_that_was_not_used_goes_back_at_dispose_also_when_the_contents_stay()
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions(_memory.InPool) { KeepContentsOnDispose = true });
        stream.Write(Contents.Of(300));
        long inUse = _memory.InUse;
        stream.Position = 10;
        stream.GetSpan(4000);
        stream.Dispose();
        Assert.Equal(inUse, _memory.InUse);
        Assert.Equal(Contents.Of(300), stream.ToArray());
        stream.Detach().Dispose();
        _memory.AssertNothingInUse();
    }

    [Fact]
    public void More_than_there_was_room_for_is_refused()
    {
        using PooledMemoryStream stream = new(_memory.InPool);
        Assert.Equal("count", Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(1)).ParamName);
        stream.Advance(0);
        Assert.Equal("count", Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(-1)).ParamName);
        Assert.Equal("sizeHint", Assert.Throws<ArgumentOutOfRangeException>(() => { stream.GetSpan(-1); }).ParamName);
        Assert.Equal("sizeHint", Assert.Throws<ArgumentOutOfRangeException>(() => stream.GetMemory(-1)).ParamName);
        stream.Write(Contents.Of(10));
        stream.Position = 5;
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(1));
        int room = stream.GetSpan(20).Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(room + 1));
        stream.Position = 20;
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(int.MaxValue));
        Contents.Verify(stream, Contents.Of(10));
    }

    [Theory]
    [InlineData(0, 20)]
    [InlineData(0, 100_000)]
    [InlineData(10, 5)]
    [InlineData(10, 20)]
    [InlineData(10, 100_000)]
    [InlineData(10_000, 20_000)]
    public void Advancing_by_nothing_where_nothing_was_asked_for_changes_nothing(int length, int position)
    {
        foreach (PooledMemoryStreamOptions options in (PooledMemoryStreamOptions[])[_memory.InPool, _memory.InHeap])
        {
            using PooledMemoryStream stream = new(options);
            Contents.WriteInPieces(stream, Contents.Of(length), 100);
            stream.Position = position;
            stream.Advance(0);
            Assert.Equal(position, stream.Position);
            Contents.Verify(stream, Contents.Of(length));
        }
    }

    [Fact]
    public void After_a_cut_there_is_room_in_the_middle_of_the_memory()
    {
        using PooledMemoryStream stream = new(_memory.InPool);
        Contents.WriteInPieces(stream, Contents.Of(100_000), 100);
        byte[] model = Contents.Of(100_000)[..300];
        stream.SetLength(300);
        foreach (int hint in (int[])[10, 1000, 50_000, 200_000])
        {
            byte[] more = Contents.Of(hint, seed: hint);
            more.CopyTo(stream.GetSpan(hint));
            stream.Advance(hint);
            model = [.. model, .. more];
            Contents.Verify(stream, model);
        }
    }

    [Fact]
    public void A_disposed_stream_gives_no_room()
    {
        PooledMemoryStream stream = new(_memory.InPool);
        stream.Write(Contents.Of(10));
        stream.Dispose();
        Assert.Throws<ObjectDisposedException>(() => { stream.GetSpan(); });
        Assert.Throws<ObjectDisposedException>(() => stream.GetMemory());
        Assert.Throws<ObjectDisposedException>(() => stream.Advance(0));
    }

    /// <summary>Address space, not memory: nothing is touched but the ends.</summary>
    [Theory]
    [InlineData(0, (1 << 30) + 1)]
    [InlineData(5000, (1 << 30) + 1)]
    [InlineData(1, int.MaxValue)]
    public void One_piece_of_more_than_a_gibibyte(int length, int hint)
    {
        using PooledMemoryStream stream = new(_memory.InHeap);
        stream.Write(Contents.Of(length));
        Span<byte> span = stream.GetSpan(hint);
        Assert.InRange(span.Length, hint, int.MaxValue);
        (span[0], span[hint - 1]) = (3, 4);
        stream.Advance(hint);
        Assert.Equal((long)length + hint, stream.Length);
        stream.Position = stream.Length - 1;
        Assert.Equal(4, stream.ReadByte());
    }
}
