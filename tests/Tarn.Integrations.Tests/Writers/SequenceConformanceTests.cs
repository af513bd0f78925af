using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using Apache.Arrow.Ipc;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using MessagePack;
using Nerdbank.Streams;

namespace Tarn.Integrations.Tests.Writers;

/// <summary>
/// The sequences of a <see cref="SequenceBuilder{T}"/>, read by libraries that know only <see cref="ReadOnlySequence{T}"/>: of own
/// segments, of owners and of foreign memory, in pieces of any length, behind a part that was given up, before and after they were
/// detached.
/// </summary>
public sealed class SequenceConformanceTests
{
    private static readonly string[] s_strings =
        [.. Enumerable.Range(0, 300).Select(static i => new string((char)('ä' + (i % 20)), i % 40))];

    public static TheoryData<int, bool> Ways => new()
    {
        { 1, false }, { 7, false }, { 4096, false }, { 1, true }, { 7, true }, { 4096, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public void Json(int piece, bool isDetached) => Read(JsonSerializer.SerializeToUtf8Bytes(s_strings), piece, isDetached, static read =>
    {
        Utf8JsonReader reader = new(read);
        Assert.Equal(s_strings, JsonSerializer.Deserialize<string[]>(ref reader));
        Assert.Equal(read.Length, reader.BytesConsumed);
        using JsonDocument document = JsonDocument.Parse(read);
        Assert.Equal(s_strings, document.RootElement.EnumerateArray().Select(static one => one.GetString()));
    });

    [Theory]
    [MemberData(nameof(Ways))]
    public void Message_pack(int piece, bool isDetached)
    {
        byte[] message = MessagePackSerializer.Serialize(s_strings);
        Read(message, piece, isDetached, read =>
        {
            Assert.Equal(s_strings, MessagePackSerializer.Deserialize<string[]>(read));
            MessagePackReader reader = new(read);
            reader.Skip();
            Assert.True(reader.End);
            Assert.Equal(message.Length, reader.Consumed);
        });
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Protobuf(int piece, bool isDetached)
    {
        ListValue list = new() { Values = { s_strings.Select(Value.ForString) } };
        Read(list.ToByteArray(), piece, isDetached, read => Assert.Equal(list, ListValue.Parser.ParseFrom(read)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Arrow(int piece, bool isDetached)
    {
        using ArrowColumns columns = new(500);
        using MemoryStream wire = new();
        using (ArrowStreamWriter writer = new(wire, columns.Batch.Schema, leaveOpen: true))
        {
            writer.WriteRecordBatch(columns.Batch);
            writer.WriteEnd();
        }

        Read(wire.ToArray(), piece, isDetached, read =>
        {
            using ArrowStreamReader reader = new(read.AsStream());
            columns.AssertSame(reader.ReadNextRecordBatch());
        });
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_pipe(int piece, bool isDetached)
    {
        byte[] message = new byte[20_000];
        new Random(1).NextBytes(message);
        Read(message, piece, isDetached, read =>
        {
            PipeReader pipe = PipeReader.Create(read);
            List<byte> passed = [];
            while (pipe.TryRead(out ReadResult result) && !result.Buffer.IsEmpty)
            {
                ReadOnlySequence<byte> taken = result.Buffer.Slice(0, Math.Min(result.Buffer.Length, 999));
                passed.AddRange(taken.ToArray());
                pipe.AdvanceTo(taken.End, result.Buffer.End);
            }

            Assert.Equal(message, passed);
        });
    }

    /// <summary>Tokens are read as their bytes arrive, and the builder gives up what was read.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    [InlineData(5000)]
    public void Json_that_arrives_in_pieces_is_consumed_from_the_front(int piece)
    {
        byte[] message = JsonSerializer.SerializeToUtf8Bytes(s_strings);
        using SequenceBuilder<byte> received = new();
        JsonReaderState state = default;
        List<string?> read = [];
        int pieces = 0;
        for (int at = 0; at < message.Length; at += piece)
        {
            Add(received, message.AsMemory(at, Math.Min(piece, message.Length - at)), pieces++);
            Utf8JsonReader reader = new(received.Sequence, isFinalBlock: at + piece >= message.Length, state);
            while (reader.Read())
            {
                if (reader.TokenType == JsonTokenType.String)
                {
                    read.Add(reader.GetString());
                }
            }

            state = reader.CurrentState;
            received.AdvanceTo(reader.Position);
            Assert.InRange(received.Length, 0, 1000 + piece);
        }

        Assert.Equal(s_strings, read);
        Assert.Equal(0, received.Length);
    }

    /// <summary>Frames of a length and a message: each is read in place once it is whole, and given up.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    [InlineData(5000)]
    public void Frames_that_arrive_in_pieces_are_consumed_from_the_front(int piece)
    {
        using PooledWriter<byte> sent = new();
        foreach (string text in s_strings)
        {
            WriterReservation<byte> length = sent.Reserve(sizeof(int));
            MessagePackSerializer.Serialize(sent, text);
            BitConverter.TryWriteBytes(length.Span, sent.WrittenCount - length.Offset - length.Length);
        }

        using SequenceBuilder<byte> received = new();
        List<string> read = [];
        int pieces = 0;
        for (int at = 0; at < sent.WrittenCount; at += piece)
        {
            Add(received, sent.WrittenMemory.Slice(at, Math.Min(piece, sent.WrittenCount - at)), pieces++);
            while (TryTakeFrame(received.Sequence, out ReadOnlySequence<byte> frame))
            {
                read.Add(MessagePackSerializer.Deserialize<string>(frame));
                received.AdvanceTo(frame.End);
            }
        }

        Assert.Equal(s_strings, read);
        Assert.Equal(0, received.Length);
    }

    private static bool TryTakeFrame(ReadOnlySequence<byte> received, out ReadOnlySequence<byte> frame)
    {
        SequenceReader<byte> reader = new(received);
        frame = default;
        return reader.TryReadLittleEndian(out int length) && reader.TryReadExact(length, out frame);
    }

    /// <summary>Has a message read in each way, and verifies that its memory came back.</summary>
    private static void Read(byte[] message, int piece, bool isDetached, Action<ReadOnlySequence<byte>> read)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(
            new BufferPoolOptions { Checks = BufferChecks.Returns | BufferChecks.UseAfterReturn });
        using (SequenceBuilder<byte> builder = new(pool))
        {
            builder.Write([255, 255, 255]);
            int pieces = 0;
            for (int at = 0; at < message.Length; at += piece)
            {
                Add(builder, message.AsMemory(at, Math.Min(piece, message.Length - at)), pieces++);
            }

            builder.AdvanceTo(builder.Sequence.GetPosition(3));
            if (isDetached)
            {
                using OwnedSequence<byte> owned = builder.Detach();
                read(owned.Sequence);
            }
            else
            {
                read(builder.Sequence);
            }
        }

        BufferPoolStatistics statistics = pool.GetStatistics();
        Assert.Equal((0L, statistics.Rented), (statistics.InUseBytes, statistics.Returned));
    }

    /// <summary>Adds a piece: copied, owned or foreign by turns.</summary>
    private static void Add(SequenceBuilder<byte> builder, ReadOnlyMemory<byte> piece, int index)
    {
        switch (index % 3)
        {
            case 0:
                builder.Write(piece.Span);
                break;
            case 1:
                IMemoryOwner<byte> owner = BufferPool<byte>.Shared.LeaseMemory(piece.Length);
                piece.CopyTo(owner.Memory);
                builder.Append(owner);
                break;
            default:
                builder.AppendReference(piece);
                break;
        }
    }
}
