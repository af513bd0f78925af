using System.Runtime.InteropServices;

namespace Tarn.Tests.Streams;

/// <summary>
/// Someone returned an array that was a stream's: a pool with checks refuses it when the stream returns it, and only that one.
/// </summary>
public sealed class WrongedStreamTests : IDisposable
{
    private readonly OwnMemory _memory = new(BufferChecks.Returns);
    private readonly byte[] _contents = Contents.Of(100_000);

    public void Dispose() => _memory.Dispose();

    [Theory]
    [InlineData(StreamClearing.None)]
    [InlineData(StreamClearing.OnReturn)]
    public void The_other_segments_go_back(StreamClearing zeroing)
    {
        PooledMemoryStream stream = CreateWronged(zeroing);
        Assert.Throws<InvalidOperationException>(stream.Dispose);
        _memory.AssertNothingInUse();
        Assert.False(stream.CanRead);
        stream.Dispose();

        using OwnedSequence<byte> sequence = CreateWronged(zeroing).Detach();
        Assert.Throws<InvalidOperationException>(sequence.Dispose);
        _memory.AssertNothingInUse();
    }

    [Fact]
    public void The_joined_stream_is_read_and_written_at_its_position()
    {
        using PooledMemoryStream stream = CreateWronged(StreamClearing.None);
        stream.Position = 90_000;
        Assert.Throws<InvalidOperationException>(stream.GetBuffer);
        Assert.Equal(_contents[90_000], stream.ReadByte());
        stream.WriteByte(7);
        _contents[90_001] = 7;
        Assert.Equal(90_002, stream.Position);
        Assert.Equal(_contents.AsSpan(90_000), stream.GetBuffer().AsSpan(90_000, 10_000));
    }

    /// <summary>A stream whose first array other code returned, which poisons nothing.</summary>
    private PooledMemoryStream CreateWronged(StreamClearing zeroing)
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions(_memory.InPool) { Clearing = zeroing });
        Contents.WriteInPieces(stream, _contents, 1000);
        Assert.True(MemoryMarshal.TryGetArray(stream.GetReadOnlySequence().First, out ArraySegment<byte> first));
        _memory.Pool.Return(first.Array!);
        return stream;
    }
}
