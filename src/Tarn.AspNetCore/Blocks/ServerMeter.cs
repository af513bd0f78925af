using System.Diagnostics.Metrics;

namespace Tarn;

/// <summary>The metrics of servers' blocks: observable instruments, which cost nothing until a listener reads them.</summary>
/// <remarks>Each measurement carries the owner in the tag that ASP.NET Core's own memory pools use.</remarks>
internal static class ServerMeter
{
    internal const string OwnerTag = "aspnetcore.memory_pool.owner";

    /// <summary>Creates the instruments. The meter factory disposes them with the container.</summary>
    internal static void Create(IMeterFactory meters, ServerMemoryPoolFactory factory)
    {
        Meter meter = meters.Create(TarnServerMetrics.MeterName, typeof(ServerMeter).Assembly.GetName().Version?.ToString(3));
        meter.CreateObservableUpDownCounter(
            "tarn.server.blocks.limit", () => Observe(static pool => pool.CapBytes), "By", "The most pooled bytes, in use and idle.");
        meter.CreateObservableUpDownCounter(
            "tarn.server.blocks.in_use", () => Observe(static pool => pool.InUseBytes), "By", "Pooled bytes handed out and not returned.");
        meter.CreateObservableUpDownCounter(
            "tarn.server.blocks.retained", () => Observe(static pool => pool.RetainedBytes), "By", "Pooled bytes kept idle for reuse.");
        meter.CreateObservableUpDownCounter(
            "tarn.server.blocks.unpooled_in_use", () => Observe(static pool => pool.UnpooledInUseBytes), "By",
            "Bytes handed out beyond the cap and not returned.");
        meter.CreateObservableCounter(
            "tarn.server.blocks.unpooled", () => Observe(static pool => pool.Unpooled), "{block}", "Blocks handed out beyond the cap.");

        IEnumerable<Measurement<long>> Observe(Func<BlockPoolSnapshot, long> value) =>
            from snapshot in factory.GetSnapshots()
            select new Measurement<long>(value(snapshot), new KeyValuePair<string, object?>(OwnerTag, snapshot.Owner));
    }
}
