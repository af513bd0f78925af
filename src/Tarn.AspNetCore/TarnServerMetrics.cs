using Tarn.Diagnostics;

namespace Tarn;

/// <summary>The names of the package's metrics.</summary>
public static class TarnServerMetrics
{
    /// <summary>
    /// The name of the <see cref="System.Diagnostics.Metrics.Meter"/> that reports the blocks of servers. Pools, heaps and streams are
    /// reported by <see cref="BufferDiagnostics.MeterName"/>.
    /// </summary>
    public const string MeterName = "Tarn.AspNetCore";
}
