using System.Buffers;
using CommunityToolkit.HighPerformance.Buffers;
using DotNext.Buffers;
using Microsoft.IO;
using Nerdbank.Streams;
using Tarn.Lab.Contenders.Streams;

namespace Tarn.Lab.Contenders.Writers;

#pragma warning disable CA1001 // the writers of a measurement live as long as it does

/// <summary>Ours with contiguous contents, one for all messages.</summary>
internal readonly struct TarnWriter() : IByteWriter
{
    private readonly PooledWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public void Begin()
    {
    }

    public void Write(byte value) => _writer.Write(value);

    public void Write(ReadOnlySpan<byte> piece) => _writer.Write(piece);

    public void End() => _writer.Clear();
}

/// <summary>Ours with contiguous contents in native memory, one for all messages.</summary>
internal readonly struct TarnNativeWriter() : IByteWriter
{
    private readonly PooledWriter<byte> _writer = new(NativeHeap.Shared);

    public IBufferWriter<byte> Writer => _writer;

    public void Begin()
    {
    }

    public void Write(byte value) => _writer.Write(value);

    public void Write(ReadOnlySpan<byte> piece) => _writer.Write(piece);

    public void End() => _writer.Clear();
}

/// <summary>Ours with segments, one for all messages.</summary>
internal readonly struct TarnSequenceWriter() : IByteWriter
{
    private readonly SequenceBuilder<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public void Begin()
    {
    }

    public void Write(byte value)
    {
        _writer.GetSpan(1)[0] = value;
        _writer.Advance(1);
    }

    public void Write(ReadOnlySpan<byte> piece) => _writer.Write(piece);

    public void End() => _writer.Clear();
}

/// <summary>The BCL's, one for all messages. It keeps its array.</summary>
internal readonly struct BclWriter() : IByteWriter
{
    private readonly ArrayBufferWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public void Begin()
    {
    }

    public void Write(byte value)
    {
        _writer.GetSpan(1)[0] = value;
        _writer.Advance(1);
    }

    public void Write(ReadOnlySpan<byte> piece)
    {
        piece.CopyTo(_writer.GetSpan(piece.Length));
        _writer.Advance(piece.Length);
    }

    public void End() => _writer.ResetWrittenCount();
}

/// <summary>The CommunityToolkit's, a new one for each message: to clear one zeroes its contents.</summary>
internal struct ToolkitWriter : IByteWriter
{
    private ArrayPoolBufferWriter<byte> _writer;

    public readonly IBufferWriter<byte> Writer => _writer;

    public void Begin() => _writer = new ArrayPoolBufferWriter<byte>();

    public readonly void Write(byte value)
    {
        _writer.GetSpan(1)[0] = value;
        _writer.Advance(1);
    }

    public readonly void Write(ReadOnlySpan<byte> piece)
    {
        piece.CopyTo(_writer.GetSpan(piece.Length));
        _writer.Advance(piece.Length);
    }

    public readonly void End() => _writer.Dispose();
}

/// <summary>Nerdbank's segments over <c>ArrayPool&lt;byte&gt;.Shared</c>, one for all messages.</summary>
internal readonly struct NerdbankWriter() : IByteWriter
{
    private readonly Sequence<byte> _writer = new(ArrayPool<byte>.Shared);

    public IBufferWriter<byte> Writer => _writer;

    public void Begin()
    {
    }

    public void Write(byte value)
    {
        _writer.GetSpan(1)[0] = value;
        _writer.Advance(1);
    }

    public void Write(ReadOnlySpan<byte> piece)
    {
        piece.CopyTo(_writer.GetSpan(piece.Length));
        _writer.Advance(piece.Length);
    }

    public void End() => _writer.Reset();
}

/// <summary>DotNext's segments, one for all messages.</summary>
internal readonly struct DotNextWriter() : IByteWriter
{
    private readonly SparseBufferWriter<byte> _writer = new();

    public IBufferWriter<byte> Writer => _writer;

    public void Begin()
    {
    }

    public void Write(byte value) => _writer.Add(value);

    public void Write(ReadOnlySpan<byte> piece) => _writer.Write(piece);

    public void End() => _writer.Clear();
}

/// <summary>A stream of RecyclableMemoryStream as a writer, a new one for each message.</summary>
internal struct RecyclableWriter : IByteWriter
{
    private RecyclableMemoryStream _writer;

    public readonly IBufferWriter<byte> Writer => _writer;

    public void Begin() => _writer = RecyclableManagers.Plain.GetStream();

    public readonly void Write(byte value) => _writer.WriteByte(value);

    public readonly void Write(ReadOnlySpan<byte> piece) => _writer.Write(piece);

    public readonly void End() => _writer.Dispose();
}
