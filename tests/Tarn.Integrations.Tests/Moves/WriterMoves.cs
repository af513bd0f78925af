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

    [Fact]
    public void A_writer_that_is_reset_is_cleared()
    {
        using PooledWriter<byte> after = new();
        ArrayBufferWriter<byte> before = new();
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(FrameBefore(before, [1, 2, (byte)i]), FrameAfter(after, [1, 2, (byte)i]));
        }
    }

    [Fact]
    public void An_owner_of_the_toolkit_becomes_a_lease_of_memory()
    {
        using MemoryOwner<byte> before = ReceiveBefore(new MemoryStream([1, 2, 3]), 3);
        using IMemoryOwner<byte> after = ReceiveAfter(new MemoryStream([1, 2, 3]), 3);
        Assert.Equal(before.Span.ToArray(), after.Memory.ToArray());
    }

    [Fact]
    public void A_string_builder_on_the_stack_becomes_a_scratch_writer() => Assert.Equal("[1, 22, 333]", Text([1, 22, 333]));

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

    #region ArrayBufferWriter, before
    private static byte[] FrameBefore(ArrayBufferWriter<byte> writer, byte[] payload)
    {
        writer.ResetWrittenCount();
        writer.Write(BitConverter.GetBytes(payload.Length));
        writer.Write(payload);
        return writer.WrittenSpan.ToArray();
    }
    #endregion

    #region ArrayBufferWriter, after
    private static byte[] FrameAfter(PooledWriter<byte> writer, byte[] payload)
    {
        writer.Clear();
        writer.Write(BitConverter.GetBytes(payload.Length));
        writer.Write(payload);
        return writer.WrittenSpan.ToArray();
    }
    #endregion

    #region MemoryOwner, before
    private static MemoryOwner<byte> ReceiveBefore(Stream source, int length)
    {
        MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length);
        try
        {
            source.ReadExactly(owner.Span);
            return owner;
        }
        catch
        {
            owner.Dispose();
            throw;
        }
    }
    #endregion

    #region MemoryOwner, after
    private static IMemoryOwner<byte> ReceiveAfter(Stream source, int length)
    {
        IMemoryOwner<byte> owner = BufferPool<byte>.Shared.LeaseMemory(length);
        try
        {
            source.ReadExactly(owner.Memory.Span);
            return owner;
        }
        catch
        {
            owner.Dispose();
            throw;
        }
    }
    #endregion

    #region ValueStringBuilder, after
    private static string Text(int[] numbers)
    {
        using ScratchWriter<char> text = new(stackalloc char[256]);
        text.Append('[');
        foreach (int number in numbers)
        {
            text.Append(text.WrittenCount > 1 ? ", " : "");
            text.Append($"{number}");
        }

        text.Append(']');
        return text.ToString();
    }
    #endregion
}
