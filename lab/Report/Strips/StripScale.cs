using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Strips;

/// <summary>
/// The axis of the strips: logarithmic, with equal in the middle. It reaches as far to either side as all but a few ratios need.
/// Those few stand in a gutter at its end.
/// </summary>
internal sealed class StripScale
{
    private const int ShortestReach = 2;
    private const int FarthestReach = 64;

    /// <summary>At most this share of the ratios may lie beyond the axis.</summary>
    private const double ShareBeyond = 1.0 / 15;

    private readonly double _half;

    public StripScale(IReadOnlyCollection<Comparison> measured, double left, double right, double gutter)
    {
        Reach = ReachOf(measured);
        Gutter = measured.All(comparison => Holds(comparison.Ratio)) ? 0 : gutter;
        Left = left;
        Right = right;
        _half = ((right - left) / 2) - Gutter;
    }

    /// <summary>A power of two: the axis goes from its inverse to it.</summary>
    public double Reach { get; }

    public double Left { get; }

    public double Right { get; }

    /// <summary>The width of the gutter for values beyond either end, or zero without such values.</summary>
    public double Gutter { get; }

    public double Middle => (Left + Right) / 2;

    /// <summary>Powers of two where there are few, else every second one.</summary>
    public IEnumerable<double> Ticks
    {
        get
        {
            var last = (int)Math.Round(Math.Log2(Reach));
            var stride = last > 2 ? 2 : 1;
            for (var power = -(last / stride * stride); power <= last; power += stride)
            {
                yield return Math.Pow(2, power);
            }
        }
    }

    public bool Holds(double ratio) => ratio <= Reach && ratio >= 1 / Reach;

    public double X(double ratio) => Middle + (_half * Math.Log(ratio) / Math.Log(Reach));

    /// <summary>The middle of the gutter for values beyond the axis.</summary>
    public double XOrGutter(double ratio) => Holds(ratio) ? X(ratio) : ratio < 1 ? Left + (Gutter / 2) : Right - (Gutter / 2);

    private static double ReachOf(IReadOnlyCollection<Comparison> measured)
    {
        double reach = ShortestReach;
        while (reach < FarthestReach
            && measured.Count(comparison => comparison.Ratio > reach || comparison.Ratio < 1 / reach) > measured.Count * ShareBeyond)
        {
            reach *= 2;
        }

        return reach;
    }
}
