using System.Diagnostics;
using Tarn.Lab.Contenders.Messages;

namespace Tarn.Lab.Tests.Contenders;

/// <summary>What a reader does with the messages of a way that is broken.</summary>
public class MessageChecksTests
{
    private const int Length = 100;

    [Fact]
    public void Whole_messages_in_order_are_accepted_by_every_check()
    {
        using MessageGate gate = MessageGate.Create(1);
        long[] ticks = new long[3];
        OrderedCheck ordered = new(Length, 0, 3);
        SummedCheck summed = new(Length, 3);
        TimedCheck timed = new(Length, ticks, gate, 0);

        Read(ref ordered, isTimed: false, 0, 1, 2);
        Read(ref summed, isTimed: false, 2, 0, 1);
        Read(ref timed, isTimed: true, 0, 1, 2);

        Assert.Equal(3, summed.Sum);
        Assert.All(ticks, static time => Assert.True(time >= 0));
        Assert.True(gate.IsPassed(1, 3));
        Assert.False(gate.IsPassed(1, 4));
    }

    [Theory]
    [InlineData(0, 2)]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    public void A_missing_repeated_or_early_message_is_refused(params int[] numbers)
    {
        using MessageGate gate = MessageGate.Create(1);

        Assert.Throws<InvalidDataException>(() =>
        {
            OrderedCheck check = new(Length, 0, 2);
            Read(ref check, isTimed: false, numbers);
        });
        Assert.Throws<InvalidDataException>(() =>
        {
            TimedCheck check = new(Length, new long[2], gate, 0);
            Read(ref check, isTimed: true, numbers);
        });
        Assert.Throws<InvalidDataException>(() =>
        {
            SeenCheck check = new(Length, new long[2], gate, 0);
            Read(ref check, isTimed: true, numbers);
        });
    }

    [Fact]
    public void A_torn_message_is_refused()
    {
        using MessageGate gate = MessageGate.Create(1);

        Assert.Throws<InvalidDataException>(() =>
        {
            OrderedCheck check = new(Length, 0, 1);
            ReadTorn(ref check, isTimed: false);
        });
        Assert.Throws<InvalidDataException>(() =>
        {
            SummedCheck check = new(Length, 1);
            ReadTorn(ref check, isTimed: false);
        });
        Assert.Throws<InvalidDataException>(() =>
        {
            TimedCheck check = new(Length, new long[1], gate, 0);
            ReadTorn(ref check, isTimed: true);
        });
        Assert.Throws<InvalidDataException>(() =>
        {
            SeenCheck check = new(Length, new long[1], gate, 0);
            ReadTorn(ref check, isTimed: true);
        });
    }

    private static void Read<TCheck>(ref TCheck check, bool isTimed, params int[] numbers)
        where TCheck : struct, IMessageCheck
    {
        using BlockingReader<Given> reader = new(new Given(new(numbers.Select(number => Create(number, isTimed)))));
        reader.Read(ref check);
    }

    private static void ReadTorn<TCheck>(ref TCheck check, bool isTimed)
        where TCheck : struct, IMessageCheck
    {
        byte[] torn = Create(0, isTimed);
        torn[^1]++;
        using BlockingReader<Given> reader = new(new Given(new([torn])));
        reader.Read(ref check);
    }

    private static byte[] Create(long number, bool isTimed)
    {
        byte[] message = new byte[Length];
        MessageContents.Write(message, number);
        if (isTimed)
        {
            MessageContents.WriteTime(message, Stopwatch.GetTimestamp());
        }

        return message;
    }

    private readonly struct Given(Queue<byte[]> messages) : IMessageReceiver
    {
        public void Receive<TCheck>(ref TCheck check)
            where TCheck : struct, IMessageCheck => check.Take(messages.Dequeue());
    }
}
