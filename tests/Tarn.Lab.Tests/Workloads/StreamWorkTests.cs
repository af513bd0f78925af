using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Tests.Workloads;

public class StreamWorkTests
{
    private readonly List<string> _calls = [];

    [Fact]
    public void A_round_makes_the_steps_of_the_document_for_each_of_five_streams_that_grow()
    {
        var shape = new StreamShape(Size: 10_000, Piece: 4_096, Growth: 500);
        Do(new StreamRound<RecordingMaker>(new(_calls), shape, new StreamBuffers().For(shape)));

        string[][] expected = [.. Enumerable.Range(0, 5).Select(loop => StepsOf(10_000 + (500 * loop)))];
        Assert.Equal(expected.SelectMany(steps => steps), _calls);
        Assert.Equal(12_000, shape.Largest);
    }

    [Fact]
    public void A_bulk_round_writes_and_reads_each_stream_at_once()
    {
        var shape = new StreamShape(100_000, StreamShape.Whole);
        Do(new StreamRound<RecordingMaker>(new(_calls), shape, new StreamBuffers().For(shape)));

        string[] steps = ["create 100000", "position 0", "position 0", "write 100000", "position 0", "read 100000", "dispose 100000"];
        Assert.Equal(Enumerable.Repeat(steps, StreamRound.Loops).SelectMany(some => some), _calls);
    }

    [Fact]
    public void A_round_of_single_bytes_writes_and_reads_byte_by_byte()
    {
        var shape = new StreamShape(3, Piece: 1);
        Do(new StreamRound<RecordingMaker>(new(_calls), shape, new StreamBuffers().For(shape)));

        string[] steps =
        [
            "create 3", "position 0", "position 0", "write byte", "write byte", "write byte", "position 0", "read byte", "read byte",
            "read byte", "dispose 3",
        ];
        Assert.Equal(Enumerable.Repeat(steps, StreamRound.Loops).SelectMany(some => some), _calls);
    }

    [Theory]
    [InlineData(StreamShape.Whole)]
    [InlineData(100)]
    [InlineData(1)]
    public void A_stream_that_gives_back_less_than_was_written_is_no_contender(int piece)
    {
        var shape = new StreamShape(1_000, piece);

        Assert.Throws<InvalidDataException>(() => Do(new StreamRound<ForgetfulMaker>(default, shape, new StreamBuffers().For(shape))));
    }

    [Fact]
    public void Two_copies_bring_all_bytes_into_the_kept_buffer_and_out_of_it()
    {
        var shape = new StreamShape(300_000, StreamShape.Whole, Growth: 1_000);
        StreamBuffers buffers = new StreamBuffers().For(shape, withKept: true);
        Do(new TwoCopies(shape, buffers));

        Assert.Equal(304_000, buffers.Source.Length);
        Assert.Equal(buffers.Source, buffers.Kept);
        Assert.Equal(buffers.Source, buffers.Target);
    }

    [Fact]
    public void Two_copies_in_pieces_fill_the_kept_buffer_with_the_piece()
    {
        var shape = new StreamShape(10_000, Piece: 4_096);
        StreamBuffers buffers = new StreamBuffers().For(shape, withKept: true);
        Do(new TwoCopies(shape, buffers));

        Assert.Equal(4_096, buffers.Source.Length);
        Assert.Equal(10_000, buffers.Kept.Length);
        Assert.Equal([.. buffers.Source, .. buffers.Source, .. buffers.Source[..1_808]], buffers.Kept);
        Assert.Equal(buffers.Source, buffers.Target);
    }

    [Fact]
    public void Buffers_are_random_and_kept_for_smaller_requests()
    {
        StreamBuffers buffers = new StreamBuffers().For(new StreamShape(10_000, StreamShape.Whole));
        byte[] source = buffers.Source;

        Assert.Same(source, buffers.For(new StreamShape(9_000, StreamShape.Whole)).Source);
        Assert.Same(source, buffers.For(new StreamShape(1 << 20, Piece: 4_096)).Source);
        Assert.Empty(buffers.Kept);
        Assert.True(source.Distinct().Count() > 200);
    }

    [Fact]
    public void Mixed_streams_have_every_size_from_1_to_16_KiB_and_no_size_twice_in_a_row()
    {
        byte[] source = [.. Enumerable.Range(0, MixedStreams<RecordingMaker>.Largest).Select(index => (byte)(index / 7))];
        var target = new byte[source.Length];
        Do(new MixedStreams<RecordingMaker>(new(_calls), source, target), times: 16);

        string[] created = [.. _calls.Where(call => call.StartsWith("create", StringComparison.Ordinal))];
        Assert.Equal([.. Enumerable.Range(1, 16).Select(size => $"create {size << 10}").Order()], created.Order());
        Assert.Equal(
            [.. _calls.Where(call => call.StartsWith("read", StringComparison.Ordinal))],
            created.Select(call => call.Replace("create", "read", StringComparison.Ordinal)));
        Assert.Equal(created.Length, _calls.Count(call => call.StartsWith("dispose", StringComparison.Ordinal)));
        Assert.Equal(source, target);
    }

    [Fact]
    public void Rounds_of_every_contender_read_the_bytes_they_wrote()
    {
        using var heap = new NativeHeap();
        foreach (StreamSeries series in StreamsExperiment.AllSeries)
        {
            foreach (int size in series.FullSizes.Where(size => size <= 2 << 20))
            {
                var buffers = new StreamBuffers();
                foreach (StreamContender contender in StreamsExperiment.ContendersAt(series, size, heap))
                {
                    AssertCopies(contender, series.ShapeOf(size), buffers);
                }
            }
        }
    }

    [Fact]
    public void Bytes_written_in_parallel_are_read_back()
    {
        using var heap = new NativeHeap();
        StreamSeries bulk = StreamsExperiment.AllSeries[0];
        StreamContender parallel =
            StreamsExperiment.ContendersAt(bulk, 16 << 20, heap).Single(contender => contender.Name == StreamNames.TarnParallel);

        AssertCopies(parallel, bulk.ShapeOf(5 << 20), new StreamBuffers());
    }

    private static void AssertCopies(StreamContender contender, StreamShape shape, StreamBuffers buffers)
    {
        Trial trial = StreamTrials.Round(contender, shape, buffers);
        Array.Clear(buffers.Target);
        trial.Run(1);

        // All pieces are the same bytes.
        Assert.True(buffers.Source.AsSpan().SequenceEqual(buffers.Target), $"{contender.Name}, {shape}");
    }

    private static string[] StepsOf(int size) =>
    [
        $"create {size}", "position 0", "position 0",
        "write 4096", "write 4096", $"write {size - 8_192}",
        "position 0",
        "read 4096", "read 4096", $"read {size - 8_192}",
        $"dispose {size}",
    ];

    private static void Do<TWork>(TWork work, int times = 1)
        where TWork : struct, IWork => new LoopTrial<TWork>("work", work).Run(times);
}
