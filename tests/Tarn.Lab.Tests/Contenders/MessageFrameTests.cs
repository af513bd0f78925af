using Tarn.Lab.Contenders.Messages;

namespace Tarn.Lab.Tests.Contenders;

public class MessageFrameTests
{
    private const int Longest = 64 << 10;

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4_096)]
    [InlineData(1 << 20)]
    public void Messages_are_found_however_the_bytes_arrive(int atOnce)
    {
        var bytes = new Bytes(atOnce);
        var sender = new FrameSender<Bytes>(bytes, Longest);
        var receiver = new FrameReceiver<Bytes>(bytes, Longest);
        int[] lengths = [16, 0, 17, Longest, 1, 5_000, Longest, Longest, 64];
        for (int number = 0; number < lengths.Length; number++)
        {
            Filled contents = new((byte)number);
            sender.Send(lengths[number], ref contents);
        }

        Expected check = new(lengths);
        while (check.Left > 0)
        {
            receiver.Receive(ref check);
        }

        Assert.Throws<EndOfStreamException>(() => receiver.Receive(ref check));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(Longest + 1)]
    public void A_length_that_cannot_be_is_refused(int length)
    {
        var bytes = new Bytes(1 << 20);
        bytes.Write(BitConverter.GetBytes(length));
        var receiver = new FrameReceiver<Bytes>(bytes, Longest);

        Expected check = new([1]);
        Assert.Throws<InvalidDataException>(() => receiver.Receive(ref check));
    }

    private readonly struct Filled(byte value) : IMessageContents
    {
        public void Write(Span<byte> message) => message.Fill(value);
    }

    private struct Expected(int[] lengths) : IMessageCheck
    {
        private int _number;

        public readonly int Left => lengths.Length - _number;

        public void Take(ReadOnlySpan<byte> message)
        {
            Assert.Equal(lengths[_number], message.Length);
            Assert.False(message.ContainsAnyExcept((byte)_number++));
        }

        public readonly void Passed()
        {
        }
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
