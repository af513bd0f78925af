using Tarn.Lab.Results;

namespace Tarn.Lab.Report.Pictures;

/// <summary>
/// A vertical mark with its label above the plot, like a flag on a pole: beside the mark, in the lowest row (0 is nearest to the plot)
/// where no pole runs through it and it meets no other label.
/// </summary>
internal sealed record MarkLabel(double X, double From, double To, int Row, string Text)
{
    private const double Gap = 8;
    private const double Offset = 4;

    /// <param name="edge">Labels end here; one that would not fit right of its mark stands left of it.</param>
    public static IReadOnlyList<MarkLabel> Place(IEnumerable<Mark> marks, AxisScale scale, double edge, double fontSize)
    {
        var placed = new List<MarkLabel>();
        foreach (var mark in marks.OrderByDescending(m => m.X))
        {
            var x = scale.Map(mark.X);
            var width = Svg.WidthOf(mark.Label, fontSize);
            var from = x + Offset + width <= edge ? x + Offset : Math.Max(0, x - Offset - width);
            var label = new MarkLabel(x, from, from + width, 0, mark.Label);
            while (placed.Exists(other => Meet(label, other)) && label.Row <= placed.Count)
                label = label with { Row = label.Row + 1 };
            placed.Add(label);
        }

        return placed;
    }

    private static bool Meet(MarkLabel a, MarkLabel b) =>
        (a.Row == b.Row && a.From < b.To + Gap && b.From < a.To + Gap) || RunsThrough(a, b) || RunsThrough(b, a);

    private static bool RunsThrough(MarkLabel pole, MarkLabel label) =>
        pole.Row >= label.Row && pole.X > label.From - Offset && pole.X < label.To + Offset && pole.X != label.X;
}
