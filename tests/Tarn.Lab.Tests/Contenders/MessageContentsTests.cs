using Tarn.Lab.Contenders.Messages;

namespace Tarn.Lab.Tests.Contenders;

public class MessageContentsTests
{
    private const int Length = 100;

    [Fact]
    public void A_written_message_is_accepted()
    {
        byte[] message = Create(300);

        MessageContents.Verify(message, 300, Length);
        MessageContents.WriteTime(message, 1_234);
        MessageContents.VerifyTimed(message, 300, Length);
        Assert.Equal(1_234, MessageContents.ReadTime(message));
    }

    [Theory]
    [InlineData(299, Length)]
    [InlineData(300, Length - 1)]
    public void Another_number_or_length_is_refused(long number, int length)
    {
        byte[] message = Create(300);

        Assert.Throws<InvalidDataException>(() => MessageContents.Verify(message, number, length));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(50)]
    [InlineData(Length - 1)]
    public void Any_byte_that_is_another_is_noticed(int at)
    {
        byte[] message = Create(300);
        message[at]++;

        Assert.Throws<InvalidDataException>(() => MessageContents.Verify(message, 300, Length));
    }

    [Fact]
    public void A_message_too_short_for_a_number_is_refused_too()
    {
        Assert.Throws<InvalidDataException>(() => MessageContents.Verify([], 0, Length));
    }

    [Theory]
    [InlineData(MessageContents.ShortestMessage)]
    [InlineData(Length)]
    public void A_message_in_place_has_a_number_a_time_and_a_last_byte(int length)
    {
        byte[] message = new byte[length];
        MessageContents.WriteEnds(message, 300);
        MessageContents.WriteTime(message, 1_234);

        MessageContents.VerifyEnds(message, 300, length);
        Assert.Equal(1_234, MessageContents.ReadTime(message));
        Assert.Throws<InvalidDataException>(() => MessageContents.VerifyEnds(message, 299, length));
        Assert.Throws<InvalidDataException>(() => MessageContents.VerifyEnds(message, 300, length + 1));
    }

    [Fact]
    public void Another_last_byte_is_noticed()
    {
        byte[] message = new byte[Length];
        MessageContents.WriteEnds(message, 300);
        message[^1]++;

        Assert.Throws<InvalidDataException>(() => MessageContents.VerifyEnds(message, 300, Length));
    }

    private static byte[] Create(long number)
    {
        byte[] message = new byte[Length];
        MessageContents.Write(message, number);
        return message;
    }
}
