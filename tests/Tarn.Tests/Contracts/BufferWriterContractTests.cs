using System.Text;
using System.Text.Json;

namespace Tarn.Tests.Contracts;

/// <summary>What every buffer writer promises about room: a request for it counts for nothing, and what is written counts.</summary>
public sealed class BufferWriterContractTests
{
    private const int Maximum = 1024;

    public static TheoryData<string> All => [.. TestedWriter.All];

    public static TheoryData<string> Limited => [.. TestedWriter.Limited];

    /// <summary>Utf8JsonWriter asks for 4,096 bytes at its second call.</summary>
    [Theory]
    [MemberData(nameof(Limited))]
    public void A_message_below_the_maximum_fits_whatever_its_writer_asks_for(string kind)
    {
        int[] numbers = [.. Enumerable.Range(1_000_000, 60)];
        using TestedWriter tested = TestedWriter.Create(kind, Maximum);
        using (Utf8JsonWriter json = new(tested.Writer))
        {
            json.WriteStartArray();
            Array.ForEach(numbers, json.WriteNumberValue);
            json.WriteEndArray();
        }

        Assert.Equal($"[{string.Join(',', numbers)}]", Encoding.UTF8.GetString(tested.Contents()));
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Room_is_as_long_as_requested_at_every_length(string kind)
    {
        foreach (int length in (int[])[0, 1, 500, Maximum - 1, Maximum])
        {
            using TestedWriter tested = TestedWriter.Create(kind, Maximum);
            byte[] contents = Fill(tested, length);
            foreach (int sizeHint in (int[])[0, 1, 300, 1025, 5000, 3, 100_000, 0])
            {
                Assert.InRange(tested.Writer.GetSpan(sizeHint).Length, Math.Max(1, sizeHint), int.MaxValue);
                Assert.InRange(tested.Writer.GetMemory(sizeHint).Length, Math.Max(1, sizeHint), int.MaxValue);
            }

            tested.Writer.Advance(0);
            Assert.Equal(contents, tested.Contents());
        }
    }

    [Theory]
    [MemberData(nameof(Limited))]
    public void An_advance_past_the_maximum_is_refused_and_the_rest_of_the_room_remains(string kind)
    {
        foreach (int length in (int[])[0, 1, 500, Maximum])
        {
            using TestedWriter tested = TestedWriter.Create(kind, Maximum);
            byte[] contents = Fill(tested, length);
            Memory<byte> room = tested.Writer.GetMemory(2 * Maximum);
            room.Span.Fill(7);
            int rest = Maximum - length;
            foreach (int count in (int[])[rest + 1, 2 * Maximum, room.Length])
            {
                Exception refused = Assert.ThrowsAny<Exception>(() => tested.Writer.Advance(count));
                Assert.True(refused is InvalidOperationException or IOException, $"{refused}");
            }

            Assert.Throws<ArgumentOutOfRangeException>("count", () => tested.Writer.Advance(room.Length + 1));
            Assert.Throws<ArgumentOutOfRangeException>("count", () => tested.Writer.Advance(-1));
            Assert.Equal(contents, tested.Contents());
            tested.Writer.Advance(rest);
            Assert.Equal([.. contents, .. Enumerable.Repeat((byte)7, rest)], tested.Contents());
        }
    }

    /// <summary>A loop that asks, in vain, for ever more: a reader of a socket on which nothing comes.</summary>
    [Theory]
    [MemberData(nameof(All))]
    public void Room_that_was_requested_in_vain_takes_the_memory_of_one_request(string kind)
    {
        const int Last = 256_000;
        foreach (int length in (int[])[0, 10, 5000])
        {
            using TestedWriter tested = TestedWriter.Create(kind);
            byte[] contents = Fill(tested, length);
            for (int sizeHint = 256; sizeHint <= Last; sizeHint += 256)
            {
                tested.Writer.GetMemory(sizeHint);
            }

            Assert.InRange(tested.InUse(), 0, 3 * Last);
            tested.Writer.GetSpan(2)[..2].Fill(9);
            tested.Writer.Advance(2);
            Assert.Equal([.. contents, 9, 9], tested.Contents());
        }
    }

    private static byte[] Fill(TestedWriter tested, int length)
    {
        byte[] contents = [.. Enumerable.Range(0, length).Select(static i => (byte)i)];
        for (int written = 0; written < length; written += 100)
        {
            ReadOnlySpan<byte> piece = contents.AsSpan(written, Math.Min(100, length - written));
            piece.CopyTo(tested.Writer.GetSpan(piece.Length));
            tested.Writer.Advance(piece.Length);
        }

        return contents;
    }
}
