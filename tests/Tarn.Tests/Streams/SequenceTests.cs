using System.Buffers;

namespace Tarn.Tests.Streams;

/// <summary>The contents as a sequence: the stream's own, and detached.</summary>
public sealed class SequenceTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    public static TheoryData<bool, int> Lengths
    {
        get
        {
            TheoryData<bool, int> lengths = [];
            foreach (int length in (int[])[0, .. Contents.Lengths])
            {
                lengths.Add(false, length);
                lengths.Add(true, length);
            }

            return lengths;
        }
    }

    public void Dispose() => _memory.Dispose();

    [Theory]
    [MemberData(nameof(Lengths))]
    public void It_shows_the_contents_and_costs_nothing_the_second_time(bool native, int length)
    {
        byte[] contents = Contents.Of(length);
        using PooledMemoryStream stream = Create(native);
        Contents.WriteInPieces(stream, contents, 1000);
        Assert.Equal(contents, stream.GetReadOnlySequence().ToArray());
        long before = GC.GetAllocatedBytesForCurrentThread();
        ReadOnlySequence<byte> again = stream.GetReadOnlySequence();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(contents, again.ToArray());
        Assert.Equal(length, again.Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_follows_writes_and_cuts(bool native)
    {
        byte[] contents = Contents.Of(300_000);
        using PooledMemoryStream stream = Create(native);
        for (int length = 1000; length <= 200_000; length += 10_000)
        {
            stream.Write(contents.AsSpan((int)stream.Length, length - (int)stream.Length));
            Assert.Equal(contents[..length], stream.GetReadOnlySequence().ToArray());
            stream.SetLength(length / 2);
            Assert.Equal(contents[..(length / 2)], stream.GetReadOnlySequence().ToArray());
            stream.Capacity = length / 2;
            Assert.Equal(contents[..(length / 2)], stream.GetReadOnlySequence().ToArray());
            contents.AsSpan(length / 2, 5000).CopyTo(stream.GetSpan(5000));
            stream.Advance(5000);
            Assert.Equal(contents[..((length / 2) + 5000)], stream.GetReadOnlySequence().ToArray());
            stream.SetLength(length / 2);
        }
    }

    [Fact]
    public void Slices_of_it_are_where_they_should_be()
    {
        byte[] contents = Contents.Of(50_000);
        using PooledMemoryStream stream = Create(native: false);
        Contents.WriteInPieces(stream, contents, 100);
        ReadOnlySequence<byte> sequence = stream.GetReadOnlySequence();
        Assert.False(sequence.IsSingleSegment);
        for (int from = 0; from < 50_000; from += 777)
        {
            Assert.True(sequence.Slice(from, 200 < 50_000 - from ? 200 : 50_000 - from).FirstSpan[0] == contents[from]);
            Assert.Equal(from, sequence.GetOffset(sequence.GetPosition(from)));
        }
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Detached_contents_have_an_owner_of_their_own(bool native, int length)
    {
        byte[] contents = Contents.Of(length);
        PooledMemoryStream stream = Create(native);
        Contents.WriteInPieces(stream, contents, 1000);
        OwnedSequence<byte> detached = stream.Detach();
        Assert.Equal((0, 0, 0), (stream.Length, stream.Position, stream.LongCapacity));
        stream.Write(Contents.Of(5000, seed: 2));
        stream.Dispose();
        Assert.Equal(contents, detached.Sequence.ToArray());
        Assert.Equal(length, detached.Length);
        Assert.Equal(length > 0, _memory.InUse > 0);
        detached.Dispose();
        _memory.AssertNothingInUse();
        detached.Dispose();
        _memory.AssertNothingInUse();
        Assert.Equal(length, detached.Length);
        Assert.Throws<ObjectDisposedException>(() => detached.Sequence);
        Assert.Throws<ObjectDisposedException>(stream.Detach);
    }

    [Fact]
    public void Detached_contents_go_back_once_whichever_thread_disposes_them()
    {
        using OwnMemory memory = new(BufferChecks.All);
        for (int round = 0; round < 300; round++)
        {
            using PooledMemoryStream stream = new(memory.InPool);
            Contents.WriteInPieces(stream, new byte[5000], 1000);
            OwnedSequence<byte> detached = stream.Detach();
            Parallel.Invoke(detached.Dispose, detached.Dispose, detached.Dispose);
        }

        memory.AssertNothingInUse();
        Assert.Equal(memory.Pool.GetStatistics().Rented, memory.Pool.GetStatistics().Returned);
    }

    private PooledMemoryStream Create(bool native) => new(native ? _memory.InHeap : _memory.InPool);
}
