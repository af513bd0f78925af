using System.Buffers;

namespace Tarn.Integrations.Tests.Writers;

/// <summary>A buffer writer of Tarn or of a peer, with what the contract asks of it beside <see cref="IBufferWriter{T}"/>.</summary>
internal interface IWriter : IDisposable
{
    IBufferWriter<byte> Writer { get; }

    ReadOnlySequence<byte> Contents { get; }

    /// <summary>Drops the contents, so that the writer can be used again.</summary>
    void Clear();
}
