namespace Tarn.SharedMemory;

/// <summary>Bytes for which a ring had no room, in order, in an array of the pool while there are any.</summary>
internal sealed class WaitingBytes
{
    private PooledWriter<byte>? _writer;

    /// <summary>The first bytes that were taken.</summary>
    private int _taken;

    /// <summary>Whether there are any, or memory for them was handed out. What is written next belongs behind them.</summary>
    internal bool AreInUse => _writer is not null;

    internal int Length => _writer is null ? 0 : _writer.WrittenCount - _taken;

    private PooledWriter<byte> Writer => _writer ??= new PooledWriter<byte>();

    internal Memory<byte> GetMemory(int least) => Writer.GetMemory(least);

    internal void Advance(int bytes) => Writer.Advance(bytes);

    internal void Append(ReadOnlySpan<byte> bytes)
    {
        if (!bytes.IsEmpty)
        {
            Writer.Write(bytes);
        }
    }

    /// <summary>Takes the first bytes. They remain valid until the next call.</summary>
    internal ReadOnlySpan<byte> Take(int length)
    {
        ReadOnlySpan<byte> bytes = Writer.WrittenSpan.Slice(_taken, length);
        _taken += length;
        return bytes;
    }

    internal void Clear()
    {
        _writer?.Dispose();
        (_writer, _taken) = (null, 0);
    }
}
