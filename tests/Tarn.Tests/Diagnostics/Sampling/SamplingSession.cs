namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>Sampling for the time of a test, with gaps that are the same each time, and as many samples as there are.</summary>
internal sealed class SamplingSession : IDisposable
{
    internal SamplingSession(long interval, ulong seed = 17) =>
        BufferSampling.Start(new SamplingOptions(interval, seed, IsLimited: false));

    public void Dispose() => BufferSampling.Stop();
}
