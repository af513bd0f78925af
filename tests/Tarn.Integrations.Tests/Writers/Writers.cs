using System.Buffers;
using CommunityToolkit.HighPerformance.Buffers;
using DotNext.Buffers;
using Nerdbank.Streams;

namespace Tarn.Integrations.Tests.Writers;

internal sealed class TarnContiguous : IWriter
{
    private readonly PooledWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => new(_writer.WrittenMemory);

    public void Clear() => _writer.Clear();

    public void Dispose() => _writer.Dispose();
}

internal sealed class TarnNative : IWriter
{
    private readonly PooledWriter<byte> _writer = new(NativeHeap.Shared);

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => new(_writer.WrittenMemory);

    public void Clear() => _writer.Clear();

    public void Dispose() => _writer.Dispose();
}

internal sealed class TarnSegments : IWriter
{
    private readonly SequenceBuilder<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => _writer.Sequence;

    public void Clear() => _writer.Clear();

    public void Dispose() => _writer.Dispose();
}

internal sealed class TarnStream : IWriter
{
    private readonly PooledMemoryStream _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => _writer.GetReadOnlySequence();

    public void Clear() => _writer.SetLength(0);

    public void Dispose() => _writer.Dispose();
}

internal sealed class BclContiguous : IWriter
{
    private readonly ArrayBufferWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => new(_writer.WrittenMemory);

    public void Clear() => _writer.Clear();

    public void Dispose() => _writer.Clear();
}

internal sealed class ToolkitContiguous : IWriter
{
    private readonly ArrayPoolBufferWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => new(_writer.WrittenMemory);

    public void Clear() => _writer.Clear();

    public void Dispose() => _writer.Dispose();
}

internal sealed class NerdbankSegments : IWriter
{
    private readonly Sequence<byte> _writer = new(ArrayPool<byte>.Shared);

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents => _writer.AsReadOnlySequence;

    public void Clear() => _writer.Reset();

    public void Dispose() => _writer.Dispose();
}

internal sealed class DotNextSegments : IWriter
{
    private readonly SparseBufferWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public ReadOnlySequence<byte> Contents
    {
        get
        {
            ArrayBufferWriter<byte> copy = new();
            foreach (ReadOnlyMemory<byte> part in _writer)
            {
                copy.Write(part.Span);
            }

            return new ReadOnlySequence<byte>(copy.WrittenMemory);
        }
    }

    public void Clear() => _writer.Clear();

    public void Dispose() => _writer.Dispose();
}
