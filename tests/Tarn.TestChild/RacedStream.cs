namespace Tarn.TestChild;

/// <summary>A stream that one thread uses while another disposes it.</summary>
internal sealed class RacedStream(Stream stream, IDisposable owner) : IDisposable
{
    internal byte[] Bytes { get; } = new byte[300];

    /// <summary>Bytes that are longer than what one hit may copy of native memory.</summary>
    internal byte[] ManyBytes { get; } = new byte[100_000];

    internal Stream Stream { get; } = stream;

    /// <summary>The stream, where it is a pooled one.</summary>
    internal PooledMemoryStream Pooled => (PooledMemoryStream)owner;

    /// <summary>Set when the disposal has returned.</summary>
    internal volatile bool IsDisposed;

    /// <inheritdoc/>
    public void Dispose() => owner.Dispose();
}
