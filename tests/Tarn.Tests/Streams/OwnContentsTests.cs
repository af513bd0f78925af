using System.Buffers;

namespace Tarn.Tests.Streams;

/// <summary>A stream's own bytes, written to it: they are taken as they were before the write.</summary>
public sealed class OwnContentsTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    /// <summary>The length of the stream, the pieces it was written in, the part to write, and the destination.</summary>
    public static TheoryData<int, int, int, int, int> Moves
    {
        get
        {
            // Two ways to count the bytes or the places may come to the same.
            HashSet<(int, int, int, int, int)> moves = [];
            foreach ((int length, int piece) in ((int, int)[])[(300, 300), (4000, 10), (20_000, 100), (1_000_000, 3000)])
            {
                foreach (int from in (int[])[0, 1, length / 3, length - 1])
                {
                    foreach (int to in (int[])[0, 1, length / 3, (length / 3) + 50, length / 2, length - 1, length, length + 70])
                    {
                        moves.Add((length, piece, from, length - from, to));
                        moves.Add((length, piece, from, Math.Min(length - from, 200), to));
                    }
                }
            }

            TheoryData<int, int, int, int, int> data = [];
            foreach ((int length, int piece, int from, int count, int to) in moves)
            {
                data.Add(length, piece, from, count, to);
            }

            return data;
        }
    }

    public void Dispose() => _memory.Dispose();

    [Theory]
    [MemberData(nameof(Moves))]
    public void A_sequence_of_its_own(int length, int piece, int from, int count, int to)
    {
        PooledMemoryStreamOptions[] all =
            [_memory.InPool, _memory.InHeap, new PooledMemoryStreamOptions(_memory.InPool) { KeepContentsOnDispose = true }];
        foreach (PooledMemoryStreamOptions options in all)
        {
            using PooledMemoryStream stream = new(options);
            byte[] contents = Contents.Of(length);
            Contents.WriteInPieces(stream, contents, piece);
            ReadOnlySequence<byte> source = stream.GetReadOnlySequence().Slice(from, count);
            stream.Position = to;
            stream.Write(source);
            Assert.Equal(to + count, stream.Position);
            Contents.Verify(stream, After(contents, from, count, to));
            stream.Dispose();
            if (options.KeepContentsOnDispose)
            {
                stream.Detach().Dispose();
            }
        }

        _memory.AssertNothingInUse();
    }

    [Theory]
    [MemberData(nameof(Moves))]
    public void A_span_of_its_own(int length, int piece, int from, int count, int to)
    {
        using PooledMemoryStream stream = new(_memory.InPool);
        byte[] contents = Contents.Of(length);
        Contents.WriteInPieces(stream, contents, piece);
        ReadOnlyMemory<byte> source = stream.GetReadOnlySequence().Slice(from, count).First;
        stream.Position = to;
        stream.Write(source.Span);
        Contents.Verify(stream, After(contents, from, source.Length, to));
    }

    [Fact]
    public void A_sequence_of_all_segments_in_another_order()
    {
        using PooledMemoryStream stream = new(_memory.InPool);
        byte[] contents = Contents.Of(50_000);
        Contents.WriteInPieces(stream, contents, 1000);
        ReadOnlyMemory<byte>[] parts = [.. Parts(stream.GetReadOnlySequence()).Reverse()];
        byte[] expected = [.. parts.SelectMany(static part => part.ToArray())];
        Link first = new(parts[0], 0);
        Link last = parts[1..].Aggregate(first, static (link, part) => link.Append(part));
        stream.Position = 0;
        stream.Write(new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length));
        Contents.Verify(stream, expected);
    }

    private static IEnumerable<ReadOnlyMemory<byte>> Parts(ReadOnlySequence<byte> sequence)
    {
        foreach (ReadOnlyMemory<byte> part in sequence)
        {
            yield return part;
        }
    }

    private static byte[] After(byte[] contents, int from, int count, int to)
    {
        byte[] after = new byte[Math.Max(contents.Length, to + count)];
        contents.CopyTo(after, 0);
        contents.AsSpan(from, count).CopyTo(after.AsSpan(to));
        return after;
    }

    private sealed class Link : ReadOnlySequenceSegment<byte>
    {
        internal Link(ReadOnlyMemory<byte> memory, long start)
        {
            Memory = memory;
            RunningIndex = start;
        }

        internal Link Append(ReadOnlyMemory<byte> memory)
        {
            Link next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
