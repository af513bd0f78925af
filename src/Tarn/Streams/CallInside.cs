namespace Tarn;

/// <summary>A call inside a stream, which ends when this is disposed. Until then a disposal of the stream returns no memory.</summary>
/// <param name="stream">The stream that was entered; null for none.</param>
internal readonly struct CallInside(PooledMemoryStream? stream) : IDisposable
{
    /// <inheritdoc/>
    public void Dispose() => stream?.Leave();
}
