using Tarn.Diagnostics;

namespace Tarn.Lab.Workloads.Watched;

/// <summary>Sampling while it is not disposed.</summary>
internal sealed class Sampling : IDisposable
{
    private Sampling(long interval) => BufferDiagnostics.SampleInterval = interval;

    /// <summary>Begins to sample with the usual interval.</summary>
    public static Sampling Start() => new(BufferDiagnostics.DefaultSampleInterval);

    /// <inheritdoc/>
    public void Dispose() => BufferDiagnostics.SampleInterval = 0;
}
