using Tarn.Lab.Contenders.Messages;

namespace Tarn.Lab.Tests.Contenders;

public class MessageFrameTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4_096)]
    [InlineData(1 << 20)]
    public void Messages_are_found_however_the_bytes_arrive(int atOnce)
    {
        var bytes = new Bytes(atOnce);
        var sender = new FrameSender<Bytes>(bytes);
        var receiver = new FrameReceiver<Bytes>(bytes);
        int[] lengths =
            [16, 0, 17, MessageContents.LongestMessage, 1, 5_000, MessageContents.LongestMessage, MessageContents.LongestMessage, 64];
        for (int number = 0; number < lengths.Length; number++)
        {
            sender.Begin(lengths[number]).Fill((byte)number);
            sender.End();
        }

        for (int number = 0; number < lengths.Length; number++)
        {
            ReadOnlySpan<byte> message = receiver.Begin();
            Assert.Equal(lengths[number], message.Length);
            Assert.False(message.ContainsAnyExcept((byte)number));
            receiver.End();
        }

        Assert.Throws<EndOfStreamException>(() => receiver.Begin());
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(MessageContents.LongestMessage + 1)]
    public void A_length_that_cannot_be_is_refused(int length)
    {
        var bytes = new Bytes(1 << 20);
        bytes.Write(BitConverter.GetBytes(length));
        var receiver = new FrameReceiver<Bytes>(bytes);

        Assert.Throws<InvalidDataException>(() => receiver.Begin());
    }

    /// <summary>Returns the written bytes, at most a given number with each call.</summary>
    private readonly struct Bytes(int atOnce) : IBytePort
    {
        private readonly Queue<byte> _bytes = new();

        public void Write(ReadOnlySpan<byte> bytes)
        {
            foreach (byte one in bytes)
            {
                _bytes.Enqueue(one);
            }
        }

        public int Read(Span<byte> buffer)
        {
            int count = Math.Min(Math.Min(atOnce, buffer.Length), _bytes.Count);
            for (int i = 0; i < count; i++)
            {
                buffer[i] = _bytes.Dequeue();
            }

            return count;
        }
    }
}
