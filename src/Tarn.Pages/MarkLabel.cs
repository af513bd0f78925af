namespace Tarn.Pages;

/// <summary>
/// A vertical mark with its label above the plot, like a flag on a pole: beside the mark, in the lowest row (0 is nearest to the plot)
/// that lets every label be read.
/// </summary>
internal sealed record MarkLabel(double X, double From, double To, int Row, string Text)
{
    private const double Gap = 8;
    private const double Offset = 4;

    /// <param name="edge">No label reaches beyond it.</param>
    public static IReadOnlyList<MarkLabel> Place(IEnumerable<Mark> marks, AxisScale scale, double edge, double fontSize)
    {
        var ordered = marks.OrderBy(m => m.X).Select(m => (X: scale.Map(m.X), m.Label, Width: Svg.WidthOf(m.Label, fontSize))).ToList();
        for (var rows = 1; rows <= ordered.Count; rows++)
        {
            var placed = new List<MarkLabel>();
            if (PlaceRest(ordered, placed, rows, edge))
            {
                return placed;
            }
        }

        // Marks at the same position can only be stacked.
        return
        [
            .. ordered.Select((m, i) => new MarkLabel(
                m.X, Math.Min(m.X + Offset, edge - m.Width), m.X + Offset + m.Width, ordered.Count - 1 - i, m.Label)),
        ];
    }

    /// <summary>Tries low rows first and the right side first, and goes back where a later mark finds no place; marks are few.</summary>
    private static bool PlaceRest(List<(double X, string Label, double Width)> marks, List<MarkLabel> placed, int rows, double edge)
    {
        if (placed.Count == marks.Count)
        {
            return true;
        }

        var (x, text, width) = marks[placed.Count];
        for (var row = 0; row < rows; row++)
        {
            foreach (var from in (ReadOnlySpan<double>)[x + Offset, x - Offset - width])
            {
                var label = new MarkLabel(x, from, from + width, row, text);
                if (from < 0 || label.To > edge || placed.Exists(other => Meet(label, other)))
                {
                    continue;
                }

                placed.Add(label);
                if (PlaceRest(marks, placed, rows, edge))
                {
                    return true;
                }

                placed.RemoveAt(placed.Count - 1);
            }
        }

        return false;
    }

    private static bool Meet(MarkLabel a, MarkLabel b) =>
        (a.Row == b.Row && a.From < b.To + Gap && b.From < a.To + Gap) || RunsThrough(a, b) || RunsThrough(b, a);

    private static bool RunsThrough(MarkLabel pole, MarkLabel label) =>
        pole.Row >= label.Row && pole.X > label.From - Offset / 2 && pole.X < label.To + Offset / 2;
}
