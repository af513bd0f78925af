using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using Apache.Arrow.Ipc;
using MessagePack;
using Nerdbank.Streams;

namespace Tarn.Integrations.Tests.Writers;

/// <summary>What every buffer writer promises, ours and those of others: what is written comes out, in order, whole.</summary>
public abstract class WriterContract
{
    /// <summary>Whether the writer refuses a negative count. One peer's takes contents back instead.</summary>
    private protected virtual bool RefusesBackwards => true;

    private protected abstract IWriter Create();

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(5000)]
    public void Pieces_come_out_in_order(int piece)
    {
        using IWriter tested = Create();
        List<byte> expected = [];
        for (int i = 0; i < 300; i++)
        {
            byte[] bytes = [.. Enumerable.Repeat((byte)i, piece)];
            bytes.CopyTo(i % 2 == 0 ? tested.Writer.GetSpan(piece) : tested.Writer.GetMemory(piece).Span);
            tested.Writer.Advance(piece);
            expected.AddRange(bytes);
        }

        Assert.Equal(expected, tested.Contents.ToArray());
    }

    [Fact]
    public void Room_is_at_least_as_long_as_asked_and_never_empty()
    {
        using IWriter tested = Create();
        foreach (int sizeHint in (int[])[0, 1, 10, 100_000, 0, 1_000_000, 0])
        {
            Assert.InRange(tested.Writer.GetMemory(sizeHint).Length, Math.Max(1, sizeHint), int.MaxValue);
            int room = tested.Writer.GetSpan(sizeHint).Length;
            Assert.InRange(room, Math.Max(1, sizeHint), int.MaxValue);
            tested.Writer.Advance(room);
        }
    }

    [Fact]
    public void Room_that_is_not_advanced_over_adds_nothing()
    {
        using IWriter tested = Create();
        tested.Writer.Write<byte>([1, 2, 3]);
        tested.Writer.GetSpan(10_000).Fill(255);
        tested.Writer.Advance(0);
        tested.Writer.GetSpan(100)[0] = 4;
        tested.Writer.Advance(1);
        Assert.Equal([1, 2, 3, 4], tested.Contents.ToArray());
    }

    [Fact]
    public void An_advance_past_the_room_or_backwards_throws_and_loses_nothing()
    {
        using IWriter tested = Create();
        tested.Writer.Write<byte>([1, 2, 3]);
        int room = tested.Writer.GetSpan().Length;
        Assert.ThrowsAny<Exception>(() => tested.Writer.Advance(room + 1));
        if (RefusesBackwards)
        {
            Assert.ThrowsAny<Exception>(() => tested.Writer.Advance(-1));
        }

        Assert.Equal([1, 2, 3], tested.Contents.ToArray());
    }

    [Fact]
    public void A_cleared_writer_is_empty_and_can_be_used_again()
    {
        using IWriter tested = Create();
        for (int i = 0; i < 5; i++)
        {
            tested.Writer.Write(new byte[20_000]);
            tested.Clear();
            Assert.True(tested.Contents.IsEmpty);
            tested.Writer.Write<byte>([(byte)i]);
            Assert.Equal([(byte)i], tested.Contents.ToArray());
            tested.Clear();
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5000)]
    public void Json_is_written_and_read_back(int count)
    {
        using IWriter tested = Create();
        string[] strings = [.. Enumerable.Range(0, count).Select(static i => new string((char)('ä' + (i % 20)), i % 300))];
        using (Utf8JsonWriter json = new(tested.Writer))
        {
            JsonSerializer.Serialize(json, strings);
        }

        Assert.Equal(JsonSerializer.SerializeToUtf8Bytes(strings), tested.Contents.ToArray());
        Utf8JsonReader reader = new(tested.Contents);
        Assert.Equal(strings, JsonSerializer.Deserialize<string[]>(ref reader));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5000)]
    public void MessagePack_is_written_and_read_back(int count)
    {
        using IWriter tested = Create();
        string[] strings = [.. Enumerable.Range(0, count).Select(static i => new string((char)('ä' + (i % 20)), i % 300))];
        MessagePackSerializer.Serialize(tested.Writer, strings);
        Assert.Equal(MessagePackSerializer.Serialize(strings), tested.Contents.ToArray());
        Assert.Equal(strings, MessagePackSerializer.Deserialize<string[]>(tested.Contents));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50_000)]
    public void Arrow_batches_are_written_and_read_back(int count)
    {
        using IWriter tested = Create();
        using ArrowColumns columns = new(count);
        using (ArrowStreamWriter writer = new(tested.Writer.AsStream(), columns.Batch.Schema, leaveOpen: true))
        {
            writer.WriteRecordBatch(columns.Batch);
            writer.WriteEnd();
        }

        using ArrowStreamReader reader = new(tested.Contents.AsStream());
        columns.AssertSame(reader.ReadNextRecordBatch());
        Assert.Null(reader.ReadNextRecordBatch());
    }

    [Fact]
    public async Task A_pipe_reads_and_passes_on_the_contents()
    {
        using IWriter tested = Create();
        byte[] bytes = new byte[100_000];
        new Random(1).NextBytes(bytes);
        for (int at = 0; at < bytes.Length; at += 1000)
        {
            tested.Writer.Write(bytes.AsSpan(at, 1000));
        }

        PipeReader reader = PipeReader.Create(tested.Contents);
        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 0));
        await reader.CopyToAsync(pipe.Writer);
        await pipe.Writer.CompleteAsync();
        ReadResult result = await pipe.Reader.ReadAtLeastAsync(bytes.Length);
        Assert.Equal(bytes, result.Buffer.ToArray());
    }

    /// <summary>Random programs beside a list that holds the same. The seed names the program that failed.</summary>
    [Fact]
    public void Random_programs_agree_with_a_model()
    {
        foreach (int seed in (int[])[1, 2, 3, Random.Shared.Next()])
        {
            Random random = new(seed);
            using IWriter tested = Create();
            List<byte> model = [];
            for (int step = 0; step < 300; step++)
            {
                if (random.Next(40) == 0)
                {
                    tested.Clear();
                    model.Clear();
                }

                byte[] bytes = new byte[random.Next(3) == 0 ? random.Next(6000) : random.Next(50)];
                random.NextBytes(bytes);
                Span<byte> room = tested.Writer.GetSpan(bytes.Length);
                bytes.CopyTo(room);
                tested.Writer.Advance(bytes.Length);
                model.AddRange(bytes);
                Assert.True(tested.Contents.ToArray().AsSpan().SequenceEqual(model.ToArray()), $"Seed {seed}, step {step}.");
            }
        }
    }
}
