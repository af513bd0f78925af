using System.Globalization;
using System.Text.Json;
using Tarn.Pages;
using Tarn.Tool.Asking;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Watching;

/// <summary>Samples as lines, for logs and for programs.</summary>
internal static class WatchText
{
    public const string Unknown = "-";

    private static readonly JsonSerializerOptions s_options = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    public static string Line(WatchSample sample)
    {
        PoolCounts total = sample.Total;
        string rents = sample.HasRents ? $"{PerSecond(total.Rented, sample)} rents/s, {PerSecond(total.Returned, sample)} returns/s, " : "";
        string budgets = string.Concat(BudgetNumbers.Read(sample.Meter).Where(budget => budget.Waiting > 0).Select(budget =>
            string.Create(
                CultureInfo.InvariantCulture,
                $", {budget.Name}: {budget.Waiting:N0} wait up to {budget.OldestWaitSeconds:#,0.0} s for {Words.Bytes(budget.Limit)}")));
        return $"{sample.At:HH:mm:ss}  heap {(sample.HeapBytes == 0 ? Unknown : Words.Bytes(sample.HeapBytes))}  {rents}"
            + $"{PerSecond(total.Allocated, sample)} allocated/s ({PerSecond(total.AllocatedElements, sample)} elements), "
            + $"{PerSecond(total.Dropped, sample)} dropped/s, {PerSecond(total.Trimmed, sample)} trimmed/s{budgets}";
    }

    public static string Json(WatchSample sample) => ForeignText.Json(JsonSerializer.Serialize(
        new
        {
            sample.At,
            sample.Seconds,
            sample.HasRents,
            HeapBytes = sample.HeapBytes == 0 ? (long?)null : sample.HeapBytes,
            Pools = sample.Pools.Select(pool => Pool(pool.Name, pool.Counts, sample.HasRents)),
            Sizes = sample.Sizes.Select(size => new { From = 1L << size.Power, size.Count }),
            Budgets = BudgetNumbers.Read(sample.Meter),
            Meter = sample.Meter.ToDictionary(one => one.Name, one => one.Value),
        },
        s_options));

    /// <summary>A count as one a second.</summary>
    public static string PerSecond(long count, WatchSample sample) =>
        (count / Math.Max(0.001, sample.Seconds)).ToString("#,0", CultureInfo.InvariantCulture);

    private static object Pool(string name, PoolCounts counts, bool hasRents) => new
    {
        Name = name,
        Rented = hasRents ? counts.Rented : (long?)null,
        Returned = hasRents ? counts.Returned : (long?)null,
        counts.Allocated,
        counts.AllocatedElements,
        counts.Dropped,
        counts.DroppedElements,
        counts.Trimmed,
    };
}
