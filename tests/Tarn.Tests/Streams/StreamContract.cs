#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

using System.Collections.Concurrent;

namespace Tarn.Tests.Streams;

/// <summary>
/// The guarantees for code that takes a <see cref="MemoryStream"/>. A subclass names the stream and its intended differences.
/// </summary>
public abstract partial class StreamContract : IDisposable
{
    /// <summary>One for each kind of stream, as making them takes longer than most tests; their tests run one after the other.</summary>
    private static readonly ConcurrentDictionary<Type, OwnMemory> s_memories = new();

    private readonly OwnMemory _memory;

    private protected StreamContract(BufferChecks checks = BufferChecks.None)
    {
        _memory = s_memories.GetOrAdd(GetType(), _ => new OwnMemory(checks));
        if (_memory.InUse > 0)
        {
            // The remains of a failed test must not fail the others.
            s_memories[GetType()] = _memory = new OwnMemory(checks);
        }
    }

    public static TheoryData<int> Lengths => [.. Contents.Lengths];

    private protected OwnMemory Memory => _memory;

    /// <summary>Whether the contents are in an accessible array.</summary>
    protected virtual bool HasArray => true;

    /// <summary>Whether the contents are accessible after Dispose.</summary>
    protected virtual bool KeepsContents => false;

    /// <summary>The exception of SetLength and other changes of a disposed stream.</summary>
    protected virtual Type DisposedSetLength => typeof(ObjectDisposedException);

    /// <summary>Longer positions are refused; null where every one is a position.</summary>
    protected virtual long? LargestPosition => null;

    /// <summary>A new empty stream.</summary>
    protected abstract MemoryStream Create();

    public void Dispose()
    {
        OwnMemory.WaitForTheBackground();
        GC.SuppressFinalize(this);
    }

    /// <summary>A stream that holds <paramref name="contents"/>, at their end.</summary>
    private MemoryStream CreateWith(byte[] contents, int piece = int.MaxValue)
    {
        MemoryStream stream = Create();
        Contents.WriteInPieces(stream, contents, piece);
        return stream;
    }

    [Fact]
    public void A_new_stream_is_empty_and_can_do_everything_but_time_out()
    {
        using MemoryStream stream = Create();
        Assert.Equal((0, 0), (stream.Length, stream.Position));
        Assert.Equal((true, true, true, false), (stream.CanRead, stream.CanSeek, stream.CanWrite, stream.CanTimeout));
        Assert.Throws<InvalidOperationException>(() => stream.ReadTimeout);
        Assert.Throws<InvalidOperationException>(() => stream.WriteTimeout = 1);
        Assert.Equal(-1, stream.ReadByte());
        Assert.Equal(0, stream.Read(new byte[1]));
        Assert.Empty(stream.ToArray());
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Bytes_written_at_once_are_read_back(int length)
    {
        byte[] contents = Contents.Of(length);
        using (MemoryStream stream = CreateWith(contents))
        {
            Assert.Equal(length, stream.Position);
            Contents.Verify(stream, contents);
            stream.Dispose();
            Release(stream);
        }

        _memory.AssertNothingInUse();
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Bytes_written_in_pieces_are_read_back(int length)
    {
        byte[] contents = Contents.Of(length);
        foreach (int piece in (int[])[3, 100, 4096, 70_001])
        {
            if (length / piece < 10_000)
            {
                using MemoryStream stream = CreateWith(contents, piece);
                Contents.Verify(stream, contents);
            }
        }
    }

    [Fact]
    public void Bytes_written_and_read_one_by_one()
    {
        byte[] contents = Contents.Of(20_000);
        using MemoryStream stream = Create();
        Array.ForEach(contents, stream.WriteByte);
        Contents.Verify(stream, contents);
        stream.Position = 0;
        Assert.All(contents, expected => Assert.Equal(expected, stream.ReadByte()));
        Assert.Equal(-1, stream.ReadByte());
        Assert.Equal(contents.Length, stream.Position);
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Reading_in_pieces_gives_less_than_asked_only_at_the_end(int length)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 777);
        foreach (int piece in (int[])[7, 256, 5000, 100_000])
        {
            stream.Position = 0;
            byte[] read = new byte[piece];
            for (int at = 0; at < length; at += piece)
            {
                int count = Math.Min(piece, length - at);
                if (stream.Read(read, 0, piece) != count || !read.AsSpan(0, count).SequenceEqual(contents.AsSpan(at, count)))
                {
                    Assert.Fail($"Reading {piece} at {at} gave something else.");
                }

                Assert.Equal(at + count, stream.Position);
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(300)]
    [InlineData(1_000_000)]
    public async Task Reading_at_the_end_and_behind_it_gives_nothing_and_moves_nothing(int behind)
    {
        using MemoryStream stream = CreateWith(Contents.Of(5000));
        byte[] untouched = Contents.Of(10);
        byte[] buffer = (byte[])untouched.Clone();
        stream.Position = 5000 + behind;
        Assert.Equal(-1, stream.ReadByte());
        Assert.Equal(0, stream.Read(buffer, 0, 10));
        Assert.Equal(0, stream.Read(buffer.AsSpan()));
        Assert.Equal(0, stream.Read([]));
        Assert.Equal(0, await stream.ReadAsync(buffer, 0, 10));
        Assert.Equal(0, await stream.ReadAsync(buffer.AsMemory()));
        Assert.Throws<EndOfStreamException>(() => stream.ReadExactly(buffer));
        Assert.Equal(0, stream.ReadAtLeast(buffer, 3, throwOnEndOfStream: false));
        Assert.Equal((5000 + behind, 5000), (stream.Position, stream.Length));
        Assert.Equal(untouched, buffer);
    }

    [Fact]
    public async Task Reads_that_must_be_full_are_or_throw_at_the_end()
    {
        byte[] contents = Contents.Of(5000);
        using MemoryStream stream = CreateWith(contents, piece: 100);
        byte[] buffer = new byte[4000];
        stream.Position = 0;
        stream.ReadExactly(buffer);
        Assert.Equal(contents[..4000], buffer);
        Assert.Throws<EndOfStreamException>(() => stream.ReadExactly(buffer, 0, 1001));
        Assert.Equal(5000, stream.Position);
        Assert.Equal(contents[4000..], buffer[..1000]);

        stream.Position = 4000;
        Assert.Equal(1000, stream.ReadAtLeast(buffer, 500));
        stream.Position = 4500;
        await Assert.ThrowsAsync<EndOfStreamException>(async () => await stream.ReadExactlyAsync(buffer.AsMemory(0, 501)));
        stream.Position = 4500;
        await stream.ReadExactlyAsync(buffer, 1, 500);
        Assert.Equal(contents[4500..], buffer[1..501]);
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.ReadAtLeast(buffer, -1));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.ReadAtLeast(buffer, 4001));
    }

    [Fact]
    public void Reading_nothing_is_possible_anywhere()
    {
        using MemoryStream stream = CreateWith(Contents.Of(5000));
        foreach (long position in (long[])[0, 256, 4096, 4999, 5000, 9000])
        {
            stream.Position = position;
            Assert.Equal(0, stream.Read([]));
            Assert.Equal(0, stream.Read([], 0, 0));
            Assert.Equal(position, stream.Position);
        }
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void The_contents_are_shown_wherever_the_position_is(int length)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 999);
        foreach (long position in (long[])[0, length / 2, length, length + 1000])
        {
            stream.Position = position;
            Assert.Equal(contents, stream.ToArray());
            Assert.Equal(HasArray, stream.TryGetBuffer(out ArraySegment<byte> buffer));
            if (HasArray)
            {
                Assert.True(buffer.AsSpan().SequenceEqual(contents));
                Assert.Equal(0, buffer.Offset);
                Assert.Same(buffer.Array, stream.GetBuffer());
            }
            else
            {
                Assert.True(buffer == default);
                Assert.Throws<UnauthorizedAccessException>(stream.GetBuffer);
            }

            Assert.Equal((position, length), (stream.Position, stream.Length));
        }

        Contents.Verify(stream, contents);
    }

    [Fact]
    public void The_array_is_the_streams_own_until_it_must_grow()
    {
        if (!HasArray)
        {
            return;
        }

        using MemoryStream stream = CreateWith(Contents.Of(10_000), piece: 100);
        byte[] buffer = stream.GetBuffer();
        buffer[9_999] = 7;
        stream.Position = 9_999;
        Assert.Equal(7, stream.ReadByte());
        stream.Position = 5;
        stream.WriteByte(8);
        Assert.Equal(8, buffer[5]);
        Assert.Same(buffer, stream.GetBuffer());
        stream.SetLength(20);
        Assert.Same(buffer, stream.GetBuffer());
    }

    [Fact]
    public void An_empty_stream_has_an_array_all_the_same()
    {
        using MemoryStream stream = Create();
        Assert.Equal(HasArray, stream.TryGetBuffer(out ArraySegment<byte> buffer));
        Assert.True(buffer.Count == 0);
        if (HasArray)
        {
            Assert.NotNull(buffer.Array);
            Assert.NotNull(stream.GetBuffer());
        }
    }

    [Fact]
    public void The_requested_room_exists_and_the_contents_stay()
    {
        byte[] contents = Contents.Of(300);
        using MemoryStream stream = CreateWith(contents);
        stream.Position = 100;
        foreach (int capacity in (int[])[300, 5000, 100_000, 5000, 300])
        {
            stream.Capacity = capacity;
            Assert.InRange(stream.Capacity, capacity, int.MaxValue);
            Assert.Equal((100, 300), (stream.Position, stream.Length));
            Contents.Verify(stream, contents);
        }

        stream.SetLength(0);
        stream.Capacity = 0;
        Assert.Equal((0, 0), (stream.Capacity, stream.Position));
        stream.Write(contents);
        Contents.Verify(stream, contents);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(299)]
    public void Room_for_less_than_there_is_is_refused(int capacity)
    {
        using MemoryStream stream = CreateWith(Contents.Of(300));
        Assert.Equal("value", Assert.Throws<ArgumentOutOfRangeException>(() => stream.Capacity = capacity).ParamName);
        Contents.Verify(stream, Contents.Of(300));
    }
}
