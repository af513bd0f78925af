using System.Diagnostics.Metrics;

namespace Tarn.Diagnostics;

/// <summary>
/// The metrics of every pool, heap and budget: observable instruments, which cost nothing until a listener reads them. Streams are counted
/// only while a listener is attached: see <see cref="StreamCounters"/>.
/// </summary>
/// <remarks>
/// Names and units follow OpenTelemetry's conventions: dotted lower case, <c>By</c> for bytes, <c>{buffer}</c> for counts. Each
/// measurement carries <c>tarn.source.name</c> and <c>tarn.source.kind</c>; those of budgets carry <c>tarn.budget.name</c>. The
/// instruments are created together with the event source, or with the first budget.
/// </remarks>
internal static class TarnMeter
{
    private static readonly MeterScrape s_scrape = new();
    private static Meter? s_meter;

    /// <summary>Creates the meter if it does not exist yet.</summary>
    internal static void EnsureCreated()
    {
        if (Volatile.Read(ref s_meter) is not null)
        {
            return;
        }

        Meter meter = new(BufferDiagnostics.MeterName, typeof(TarnMeter).Assembly.GetName().Version?.ToString(3));
        if (Interlocked.CompareExchange(ref s_meter, meter, null) is not null)
        {
            meter.Dispose();
            return;
        }

        meter.CreateObservableUpDownCounter(
            "tarn.buffers.in_use", () => Observe(0, static s => s.InUseBytes), "By", "Bytes handed out and not returned.");
        meter.CreateObservableUpDownCounter(
            "tarn.buffers.retained", () => Observe(1, static s => s.RetainedBytes), "By", "Bytes kept idle for reuse.");
        meter.CreateObservableCounter(
            "tarn.buffers.rented", () => Observe(2, static s => s.Rented), "{buffer}", "Buffers handed out.");
        meter.CreateObservableCounter(
            "tarn.buffers.returned", () => Observe(3, static s => s.Returned), "{buffer}", "Buffers that came back.");
        meter.CreateObservableCounter(
            "tarn.buffers.allocated", () => Observe(4, static s => s.Allocated), "{buffer}", "Buffers made because none was idle.");
        BudgetSources.Create(meter);
        StreamCounters.Create(meter);
    }

    /// <summary>
    /// Returns one measurement for each name and kind. A collector keeps one value for a set of tags, so of two pools with the same name it
    /// would see only the last.
    /// </summary>
    private static IEnumerable<Measurement<long>> Observe(int instrument, Func<BufferSourceSnapshot, long> value) =>
        from snapshot in s_scrape.GetSnapshots(instrument)
        group value(snapshot) by (snapshot.Name, snapshot.Kind) into values
        select new Measurement<long>(
            values.Sum(),
            new KeyValuePair<string, object?>("tarn.source.name", values.Key.Name),
            new KeyValuePair<string, object?>("tarn.source.kind", values.Key.Kind));
}
