using System.Buffers;
using DotNext.Buffers;

namespace Tarn.Integrations.Tests.Moves;

public sealed class DotNextMoves
{
    [Fact]
    public void A_sparse_writer_becomes_a_sequence_builder() =>
        Assert.Equal(PartsBefore([1, 2], new byte[] { 3 }), PartsAfter([1, 2], new byte[] { 3 }));

    [Fact]
    public void A_pooling_writer_detaches_as_a_pooled_writer_does()
    {
        using MemoryOwner<byte> before = MessageBefore([1, 2, 3]);
        using IMemoryOwner<byte> after = MessageAfter([1, 2, 3]);
        Assert.Equal(before.Memory.ToArray(), after.Memory.ToArray());
    }

    #region SparseBufferWriter, before
    private static byte[] PartsBefore(byte[] header, ReadOnlyMemory<byte> payload)
    {
        using SparseBufferWriter<byte> message = new();
        message.Write(header);
        message.Write(payload, copyMemory: false);
        byte[] sent = new byte[message.WrittenCount];
        message.CopyTo(sent);
        return sent;
    }
    #endregion

    #region SparseBufferWriter, after
    private static byte[] PartsAfter(byte[] header, ReadOnlyMemory<byte> payload)
    {
        using SequenceBuilder<byte> message = new();
        message.Write(header);
        message.AppendReference(payload);
        byte[] sent = new byte[message.Length];
        message.Sequence.CopyTo(sent);
        return sent;
    }
    #endregion

    #region PoolingArrayBufferWriter, before
    private static MemoryOwner<byte> MessageBefore(byte[] payload)
    {
        using PoolingArrayBufferWriter<byte> writer = new();
        writer.Write(payload);
        return writer.DetachBuffer();
    }
    #endregion

    #region PoolingArrayBufferWriter, after
    private static IMemoryOwner<byte> MessageAfter(byte[] payload)
    {
        using PooledWriter<byte> writer = new();
        writer.Write(payload);
        return writer.Detach();
    }
    #endregion
}
