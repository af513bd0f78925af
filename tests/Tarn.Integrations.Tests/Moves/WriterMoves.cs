using System.Buffers;
using CommunityToolkit.HighPerformance.Buffers;
using Nerdbank.Streams;

namespace Tarn.Integrations.Tests.Moves;

public sealed class WriterMoves
{
    [Fact]
    public void A_writer_of_the_toolkit_becomes_a_pooled_writer() => Assert.Equal(TextBefore([1, 2, 3]), TextAfter([1, 2, 3]));

    [Fact]
    public void A_sequence_of_Nerdbank_becomes_a_sequence_builder() =>
        Assert.Equal(JoinBefore([1, 2], new byte[] { 3 }), JoinAfter([1, 2], new byte[] { 3 }));

    #region ArrayPoolBufferWriter, before
    private static string TextBefore(byte[] bytes)
    {
        using ArrayPoolBufferWriter<byte> writer = new();
        writer.Write(bytes);
        return Convert.ToHexString(writer.WrittenSpan);
    }
    #endregion

    #region ArrayPoolBufferWriter, after
    private static string TextAfter(byte[] bytes)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(bytes);
        return Convert.ToHexString(writer.WrittenSpan);
    }
    #endregion

    #region Sequence, before
    private static byte[] JoinBefore(byte[] header, ReadOnlyMemory<byte> payload)
    {
        using Sequence<byte> message = new(ArrayPool<byte>.Shared);
        message.Write(header);
        message.Append(payload);
        byte[] sent = message.AsReadOnlySequence.ToArray();
        message.AdvanceTo(message.AsReadOnlySequence.End);
        return sent;
    }
    #endregion

    #region Sequence, after
    private static byte[] JoinAfter(byte[] header, ReadOnlyMemory<byte> payload)
    {
        using SequenceBuilder<byte> message = new();
        message.Write(header);
        message.AppendReference(payload);
        byte[] sent = message.Sequence.ToArray();
        message.AdvanceTo(message.Sequence.End);
        return sent;
    }
    #endregion
}
