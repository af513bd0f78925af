using System.Globalization;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Strips;

/// <summary>Every comparison of a report in one picture: a strip for each subject, a dot for each comparison.</summary>
internal static class StripPicture
{
    private const double Margin = 24;
    private const double TitleHeight = 34;

    public static bool IsEmpty(IEnumerable<SubjectOutline> subjects) => subjects.All(subject => subject.Summary.Count == 0);

    /// <summary>For inside the page, which brings colours and script; every dot is a link to its comparison.</summary>
    public static string Inline(IReadOnlyList<SubjectOutline> subjects, StripSize size)
    {
        var picture = new StripDrawing(subjects, size, links: true).Draw();
        return $"<svg class=\"strip {size.Name}\" viewBox=\"0 0 {Svg.Number(picture.Width)} {Svg.Number(picture.Height)}\" role=\"group\" "
            + $"aria-label=\"{Svg.Encode(StripText.Describe(subjects))}\" font-size=\"{size.FontSize}\">{picture.Content}</svg>";
    }

    /// <summary>A file of its own, for a README: it brings its own colours for light and dark and paints its own background.</summary>
    public static string Standalone(IReadOnlyList<SubjectOutline> subjects)
    {
        var size = StripSize.Document;
        var picture = new StripDrawing(subjects, size, links: false).Draw();
        var (width, height) = (Svg.Number(picture.Width + (2 * Margin)), Svg.Number(picture.Height + (2 * Margin) + TitleHeight));
        var count = subjects.Sum(subject => subject.Summary.Count).ToString(CultureInfo.InvariantCulture);
        return $$"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{width}} {{height}}" width="{{width}}" height="{{height}}"
              class="strip" role="img" aria-label="{{Svg.Encode(StripText.Describe(subjects))}}" font-size="{{size.FontSize}}">
            <style>
            svg { {{PictureStyle.LightColours}} }
            @media (prefers-color-scheme: dark) { svg { {{PictureStyle.DarkColours}} } }
            .background { fill: var(--bg); }
            .strip .title { font-size: 18px; font-weight: 650; }
            {{StripStyle.Rules}}</style>
            <rect width="100%" height="100%" rx="8" class="background"/>
            <text x="{{Margin}}" y="{{Margin + 14}}" class="title">Time or memory, Tarn ÷ peer, in {{count}} comparisons</text>
            <g transform="translate({{Margin}} {{Margin + TitleHeight}})">{{picture.Content}}</g>
            </svg>

            """;
    }
}
