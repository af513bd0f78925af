using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Strips;

/// <summary>A comparison's place: along the axis, and up or down from the middle of its strip.</summary>
internal readonly record struct StripDot(Comparison Comparison, double X, double Y);

/// <summary>
/// Places the dots of a strip beside each other: each at its ratio or less than its own width from it, on its own side of equal, as near
/// the strip's middle as there is room.
/// </summary>
internal static class StripDots
{
    /// <summary>How far a dot may move along the axis, in widths.</summary>
    private static readonly double[] s_shifts = [0, -0.45, 0.45, -0.9, 0.9];

    /// <summary>The dots in the order of their ratios, which is the order of the keyboard too.</summary>
    public static IReadOnlyList<StripDot> Place(IEnumerable<Comparison> comparisons, StripScale scale, StripSize size)
    {
        var measured = comparisons.Where(ComparisonWords.IsMeasured).OrderBy(comparison => comparison.Ratio).ToList();
        var far = measured.Where(comparison => comparison.Ratio < 1 / scale.Reach).ToList();
        var near = measured.Where(comparison => scale.Holds(comparison.Ratio)).ToList();
        var beyond = measured.Where(comparison => comparison.Ratio > scale.Reach).Reverse().ToList();
        return
        [
            .. Block(far, scale.Left, 1, size),
            .. Swarm(near, scale, size),
            .. Block(beyond, scale.Right, -1, size).Reverse(),
        ];
    }

    /// <summary>Values beyond the axis are in columns, the farthest outermost.</summary>
    private static IEnumerable<StripDot> Block(List<Comparison> outermostFirst, double edge, int inward, StripSize size)
    {
        var rows = (outermostFirst.Count + size.GutterColumns - 1) / size.GutterColumns;
        return outermostFirst.Select((comparison, i) =>
        {
            var inColumn = Math.Min(rows, outermostFirst.Count - (i / rows * rows));
            var y = ((i % rows) - ((inColumn - 1) / 2.0)) * size.Pitch;
            return new StripDot(comparison, edge + (inward * ((i / rows) + 0.5) * size.Pitch), y);
        });
    }

    private static List<StripDot> Swarm(List<Comparison> sorted, StripScale scale, StripSize size)
    {
        var placed = new List<StripDot>(sorted.Count);
        foreach (var comparison in sorted)
        {
            var x = scale.X(comparison.Ratio);
            placed.Add(s_shifts
                .Select(shift => x + (shift * size.Pitch))
                .Where(place => Math.Sign(place - scale.Middle) == Math.Sign(x - scale.Middle))
                .Append(x)
                .Select(place => new StripDot(comparison, place, FreeHeight(place, placed, size.Pitch)))
                .MinBy(dot => Math.Abs(dot.Y) + Math.Abs(dot.X - x)));
        }

        return placed.ConvertAll(dot => dot with { Y = Pressed(dot, placed, size) });
    }

    /// <summary>The height nearest to the middle at which a dot touches no other: the middle itself, or just above or below one.</summary>
    private static double FreeHeight(double x, List<StripDot> placed, double pitch)
    {
        var neighbours = placed.Where(dot => Math.Abs(x - dot.X) < pitch).ToList();
        double Clearance(StripDot dot) => Math.Sqrt(Math.Max(0, (pitch * pitch) - ((x - dot.X) * (x - dot.X))));
        return neighbours
            .SelectMany(dot => new[] { dot.Y + Clearance(dot), dot.Y - Clearance(dot) })
            .Append(0)
            .OrderBy(Math.Abs)
            .First(y => neighbours.TrueForAll(dot => Math.Abs(y - dot.Y) >= Clearance(dot) - 1e-6));
    }

    /// <summary>A stack that is too high for a strip is pressed together; its dots overlap then.</summary>
    private static double Pressed(StripDot dot, List<StripDot> placed, StripSize size)
    {
        var highest = placed.Where(other => Math.Abs(other.X - dot.X) < size.Pitch).Max(other => Math.Abs(other.Y));
        return highest > size.HalfHeight ? dot.Y * size.HalfHeight / highest : dot.Y;
    }
}
