using System.Globalization;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Page;

/// <summary>The axis of the ratio bars: logarithmic, equal in the middle, as far to either side as the farthest ratio needs.</summary>
internal sealed class RatioAxis
{
    private readonly double _reach;

    private RatioAxis(double reach) => _reach = reach;

    public static RatioAxis For(IEnumerable<Comparison> comparisons)
    {
        var farthest = comparisons.Where(ComparisonWords.IsMeasured)
            .SelectMany(c => new[] { c.Ratio, c.Target ?? 1, c.RatioLow, c.RatioHigh })
            .Where(r => double.IsFinite(r) && r > 0)
            .Select(r => Math.Max(r, 1 / r))
            .DefaultIfEmpty(2)
            .Max();
        return new(Math.Min(Math.Max(farthest * 1.06, 2), ReportLimits.FarthestRatio));
    }

    /// <summary>Powers of two on the axis; every second one where there are many.</summary>
    public IEnumerable<double> Ticks
    {
        get
        {
            var last = (int)Math.Floor(Math.Log2(_reach) + 1e-9);
            var stride = last > 3 ? 2 : 1;
            for (var power = -(last / stride * stride); power <= last; power += stride)
            {
                yield return Math.Pow(2, power);
            }
        }
    }

    public bool Holds(double ratio) => ratio <= _reach && ratio >= 1 / _reach;

    /// <summary>Percent from the left end. A value beyond an end is put on it.</summary>
    public double Position(double ratio) => 50 + 50 * Math.Clamp(Math.Log(ratio) / Math.Log(_reach), -1, 1);

    public static string Percent(double position) => position.ToString("0.##", CultureInfo.InvariantCulture) + "%";

    public static string Label(double tick) => tick >= 1 ? $"{tick:0}×" : $"1/{1 / tick:0}";
}
