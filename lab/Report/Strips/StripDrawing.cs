using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Strips;

/// <summary>Draws the strips one below the other, with a legend above them and the axis below.</summary>
internal sealed class StripDrawing
{
    private const double LaneRoom = 10;
    private const double SmallestLane = 46;
    private const double SmallestLaneBelowLabel = 26;

    private readonly StripSize _size;
    private readonly bool _links;
    private readonly StripScale _scale;
    private readonly List<SubjectOutline> _subjects;
    private readonly Svg _svg = new();

    /// <param name="subjects">Those that compared nothing are left out.</param>
    /// <param name="links">Whether dots and names are links into the page.</param>
    public StripDrawing(IReadOnlyList<SubjectOutline> subjects, StripSize size, bool links)
    {
        _size = size;
        _links = links;
        _subjects = [.. subjects.Where(subject => subject.Summary.Count > 0)];
        Comparison[] measured = [.. subjects.SelectMany(subject => subject.Comparisons).Where(ComparisonWords.IsMeasured)];
        _scale = new StripScale(measured, size.LabelWidth, size.Width, ((size.GutterColumns + 0.5) * size.Pitch) + 4);
    }

    private double Small => _size.FontSize - 1;

    private double LabelHeight => _size.LabelsBeside ? 0 : _size.FontSize * 1.9;

    public Picture Draw()
    {
        var top = DrawLegend();
        var lanes = _subjects.ConvertAll(subject => StripDots.Place(subject.Comparisons, _scale, _size));
        var heights = lanes.ConvertAll(HeightOf);
        var bottom = top + heights.Sum();
        DrawAxis(top, bottom);
        for (var i = 0; i < lanes.Count; i++)
        {
            DrawLane(_subjects[i], lanes[i], top, heights[i]);
            top += heights[i];
        }

        return new Picture(_size.Width, bottom + (Small * 1.9), _svg.ToString());
    }

    private double HeightOf(IReadOnlyList<StripDot> dots)
    {
        var room = (2 * dots.Max(dot => Math.Abs(dot.Y))) + (2 * (_size.Radius + LaneRoom));
        return LabelHeight + Math.Max(room, _size.LabelsBeside ? SmallestLane : SmallestLaneBelowLabel);
    }

    /// <summary>Draws the legend of shapes and the direction. Returns the position of the first strip.</summary>
    private double DrawLegend()
    {
        (string Class, string Word)[] items = [("win", "win"), ("no-difference", "no difference"), ("loss", "loss"), ("middle", "median")];
        var (x, y) = (_size.Radius + 1, _size.FontSize);
        foreach (var (style, word) in items)
        {
            _svg.Raw($"<g class=\"key {style}\" transform=\"translate({Svg.Number(x)} {Svg.Number(y - (_size.FontSize * 0.35))})\">");
            _svg.Path(style == "middle" ? MedianShape(-3.5) : Shape(style), style == "middle" ? "middle" : "shape");
            _svg.Raw("</g>");
            _svg.Text(x + _size.Radius + 6, y, word, "small");
            x += (2 * _size.Radius) + Svg.WidthOf(word, _size.FontSize) + 20;
        }

        // Beside the legend where there is room, else below it.
        if (!_size.LabelsBeside || x + Svg.WidthOf(StripText.Less, _size.FontSize) > _scale.Middle)
        {
            y += _size.FontSize * 1.9;
        }

        _svg.Text(_scale.Middle - 12, y, $"← {StripText.Less}", "subject", "end");
        _svg.Text(_scale.Middle + 12, y, $"{StripText.More} →", "subject");
        return y + (_size.FontSize * 0.8);
    }

    private void DrawAxis(double top, double bottom)
    {
        _svg.Rectangle(_scale.Middle, top, _scale.Right - _scale.Middle, bottom - top, "side");
        var labels = bottom + (Small * 1.35);
        var ends = _scale.Gutter > 0 ? DrawGutters(top, bottom, labels) : 0;
        foreach (var tick in _scale.Ticks)
        {
            var (x, label) = (_scale.X(tick), StripText.Tick(tick));
            _svg.Line(x, top, x, bottom, tick == 1 ? "equal" : "grid");
            // A tick and its inverse are labelled both or not at all.
            var half = Math.Max(Svg.WidthOf(label, Small), Svg.WidthOf(StripText.Tick(1 / tick), Small)) / 2;
            if (Math.Abs(x - _scale.Middle) + half < ((_scale.Right - _scale.Left) / 2) - ends)
            {
                SmallText(x, labels, label, "middle");
            }
        }
    }

    /// <summary>Returns how much of either end their labels need.</summary>
    private double DrawGutters(double top, double bottom, double labels)
    {
        var (less, more) = ($"< {StripText.Tick(1 / _scale.Reach)}", $"> {StripText.Tick(_scale.Reach)}");
        foreach (var end in (double[])[1 / _scale.Reach, _scale.Reach])
        {
            _svg.Line(_scale.X(end), top, _scale.X(end), bottom, "grid");
        }

        SmallText(_scale.Left, labels, less, "start");
        SmallText(_scale.Right, labels, more, "end");
        return Math.Max(Svg.WidthOf(less, Small), Svg.WidthOf(more, Small)) + 6;
    }

    private void DrawLane(SubjectOutline subject, IReadOnlyList<StripDot> dots, double top, double height)
    {
        var middle = top + LabelHeight + ((height - LabelHeight) / 2);
        _svg.Line(0, top, _size.Width, top, "lane-edge");
        DrawLabel(subject, top, middle);
        _svg.Raw($"<g class=\"lane\" role=\"group\" aria-label=\"{Svg.Encode($"{subject.Title}: {subject.Summary.Words}")}\">");
        foreach (var dot in dots)
        {
            DrawDot(dot, middle);
        }

        _svg.Raw("</g>");
        var median = Svg.Number(_scale.XOrGutter(subject.Summary.Median));
        _svg.Raw($"<g transform=\"translate({median} {Svg.Number(top + height - 1)})\">");
        _svg.Path(MedianShape(-7), "middle");
        _svg.Raw("</g>");
    }

    private void DrawLabel(SubjectOutline subject, double top, double middle)
    {
        var summary = subject.Summary;
        var words = $"{summary.Count}, median {Quantity.Ratio(summary.Median)}, {summary.LossWords}";
        if (_size.LabelsBeside)
        {
            Subject(subject.Title, 0, middle - 3);
            SmallText(0, middle + (Small * 1.15), words, "start");
        }
        else
        {
            var line = top + (_size.FontSize * 1.4);
            Subject(subject.Title, 0, line);
            SmallText(_size.Width, line, words, "end");
        }
    }

    private void Subject(string title, double x, double y)
    {
        _svg.Raw(_links ? $"<a href=\"#{Markup.Anchor("subject", title)}\">" : "");
        _svg.Text(x, y, title, "subject");
        _svg.Raw(_links ? "</a>" : "");
    }

    private void SmallText(double x, double y, string text, string anchor) => _svg.Raw(
        $"<text x=\"{Svg.Number(x)}\" y=\"{Svg.Number(y)}\" text-anchor=\"{anchor}\" class=\"small\" font-size=\"{Svg.Number(Small)}\">"
        + $"{Svg.Encode(text)}</text>");

    private void DrawDot(StripDot dot, double middle)
    {
        var style = ComparisonWords.Word(dot.Comparison).Replace(' ', '-');
        var place = $"transform=\"translate({Svg.Number(dot.X)} {Svg.Number(middle + dot.Y)})\"";
        var anchor = Markup.Anchor("comparison", dot.Comparison.Id);
        _svg.Raw(_links ? $"<a class=\"dot {style}\" href=\"#{anchor}\" {place}>" : $"<g class=\"dot {style}\" {place}>");
        _svg.Raw($"<title>{Svg.Encode(StripText.Describe(dot.Comparison))}</title><path d=\"{Shape(style)}\" class=\"shape\"/>");
        _svg.Raw(_links ? "</a>" : "</g>");
    }

    /// <summary>A disc for a win, a ring for no difference, a diamond for a loss.</summary>
    private string Shape(string style)
    {
        var r = style == "loss" ? _size.Radius * 1.3 : style == "no-difference" ? _size.Radius - 0.5 : _size.Radius;
        var (radius, across) = (Svg.Number(r), Svg.Number(2 * r));
        return style == "loss"
            ? $"M-{radius} 0L0 -{radius}L{radius} 0L0 {radius}Z"
            : $"M-{radius} 0a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0Z";
    }

    /// <summary>A small triangle that points up to the median from below.</summary>
    private static string MedianShape(double tip) => $"M0 {Svg.Number(tip)}L4 {Svg.Number(tip + 7)}L-4 {Svg.Number(tip + 7)}Z";
}
