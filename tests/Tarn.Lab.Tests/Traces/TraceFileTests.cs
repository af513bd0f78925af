using System.IO.Compression;
using Tarn.Traces;

namespace Tarn.Lab.Tests.Traces;

public class TraceFileTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3_000)]
    public void A_trace_is_read_as_it_was_written(int events)
    {
        BufferTrace trace = TraceSamples.Random(seed: events, events);

        BufferTrace read = TraceFile.Read(new MemoryStream(Bytes(trace)));

        Assert.Equal(trace.Events.ToArray(), read.Events.ToArray());
        Assert.Equal(trace.Origin, read.Origin);
        Assert.Equal((trace.Threads, trace.Pools, trace.Rented, trace.Returned), (read.Threads, read.Pools, read.Rented, read.Returned));
        Assert.Equal(trace.Duration, read.Duration);
    }

    [Fact]
    public void A_file_is_read_as_it_was_written_and_errors_name_it()
    {
        using var directory = new TemporaryDirectory();
        BufferTrace trace = TraceSamples.Random(seed: 1, events: 100);

        TraceFile.Write(directory.File("a.trace"), trace);
        File.WriteAllText(directory.File("b.trace"), "this is some text and no trace");

        Assert.Equal(trace.Events.ToArray(), TraceFile.Read(directory.File("a.trace")).Events.ToArray());
        string message = Assert.Throws<InvalidDataException>(() => TraceFile.Read(directory.File("b.trace"))).Message;
        Assert.Equal($"{directory.File("b.trace")}: This is not a trace: it does not begin with \"TARNTRC\".", message);
        Assert.Throws<FileNotFoundException>(() => TraceFile.Read(directory.File("c.trace")));
    }

    [Fact]
    public void Wherever_a_file_is_cut_off_it_is_refused()
    {
        byte[] bytes = Bytes(TraceSamples.Random(seed: 2, events: 200));

        for (int length = 0; length < bytes.Length; length++)
        {
            byte[] cut = bytes[..length];
            Assert.Throws<InvalidDataException>(() => TraceFile.Read(new MemoryStream(cut)));
        }
    }

    [Fact]
    public void Whichever_bit_is_flipped_the_file_is_refused()
    {
        byte[] bytes = Bytes(TraceSamples.Random(seed: 3, events: 50));

        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] flipped = [.. bytes];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Throws<InvalidDataException>(() => TraceFile.Read(new MemoryStream(flipped)));
        }
    }

    [Fact]
    public void A_body_that_was_tampered_with_gives_a_valid_trace_or_is_refused_whatever_its_checksum()
    {
        byte[] body = TraceBody.Encode(TraceSamples.Random(seed: 4, events: 300));
        var random = new Random(5);
        int refused = 0;

        for (int trial = 0; trial < 3_000; trial++)
        {
            byte[] tampered = [.. body];
            for (int change = random.Next(1, 4); change > 0; change--)
            {
                tampered[random.Next(tampered.Length)] = (byte)random.Next(256);
            }

            byte[] compressed =
                TraceFile.Compress(random.Next(10) == 0 ? tampered[..random.Next(tampered.Length)] : tampered, CompressionLevel.Fastest);
            try
            {
                TraceFile.Read(new MemoryStream([.. TraceFile.Head(compressed), .. compressed]));
            }
            catch (InvalidDataException)
            {
                refused++;
            }
        }

        Assert.InRange(refused, 1, 2_999);
    }

    [Fact]
    public void Invalid_Brotli_data_and_data_that_unpacks_without_end_are_refused()
    {
        byte[] noise = [.. Enumerable.Range(0, 500).Select(index => (byte)(index * 37))];
        byte[] endless = TraceFile.Compress(new byte[TraceBody.MostBytes + 1], CompressionLevel.Fastest);

        Assert.Contains("not valid Brotli", Refused([.. TraceFile.Head(noise), .. noise]), StringComparison.Ordinal);
        Assert.Contains("when it is unpacked", Refused([.. TraceFile.Head(endless), .. endless]), StringComparison.Ordinal);
    }

    [Fact]
    public void An_endless_stream_is_refused_after_the_length_that_its_head_states()
    {
        using EndlessStream endless = new([.. TraceFile.Head(new byte[1_000])]);

        string message = Assert.Throws<InvalidDataException>(() => TraceFile.Read(endless)).Message;

        Assert.Equal("The trace's body has more bytes than the 1000 that its head states.", message);
    }

    [Fact]
    public void A_version_of_the_future_and_bytes_after_the_end_are_named()
    {
        byte[] bytes = Bytes(TraceSamples.Random(seed: 6, events: 10));
        byte[] future = [.. bytes];
        future[7] = TraceFile.DetailsVersion + 1;

        Assert.Equal("The trace has version 3; this program reads versions 1 and 2.", Refused(future));
        Assert.StartsWith("The trace's body has ", Refused([.. bytes, 0]), StringComparison.Ordinal);
        byte[] longer = TraceFile.Compress([.. TraceBody.Encode(TraceSamples.Random(seed: 6, events: 10)), 0]);
        Assert.Equal("The trace's body continues for 1 bytes after its last event.", Refused([.. TraceFile.Head(longer), .. longer]));
    }

    [Fact]
    public void A_few_hundred_thousand_events_fit_into_a_megabyte()
    {
        Assert.InRange(Bytes(TraceSamples.Random(seed: 7, events: 200_000)).Length, 1, 1 << 20);
    }

    private static string Refused(byte[] bytes) =>
        Assert.Throws<InvalidDataException>(() => TraceFile.Read(new MemoryStream(bytes))).Message;

    private static byte[] Bytes(BufferTrace trace)
    {
        using var stream = new MemoryStream();
        TraceFile.Write(stream, trace);
        return stream.ToArray();
    }
}
