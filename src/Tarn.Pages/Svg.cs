using System.Globalization;
using System.Net;
using System.Text;

namespace Tarn.Pages;

/// <summary>Writes SVG elements: coordinates to a tenth of a pixel, every text encoded.</summary>
internal sealed class Svg
{
    private readonly StringBuilder _text = new();

    public static string Number(double value) => Math.Round(value, 1).ToString("0.#", CultureInfo.InvariantCulture);

    public static string Encode(string text) => WebUtility.HtmlEncode(ForeignText.Lines(text));

    /// <summary>
    /// How wide a text will be, near enough to keep labels apart: the reader's font is not known here, so this is a wide one
    /// (Verdana and DejaVu set about this much).
    /// </summary>
    public static double WidthOf(string text, double fontSize)
    {
        var ems = 0.0;
        foreach (var character in text)
        {
            ems += character switch
            {
                'i' or 'j' or 'l' or 'I' or '.' or ',' or ':' or ';' or '\'' or '|' => 0.34,
                'm' or 'w' or 'M' or 'W' or '%' or '@' => 0.95,
                'f' or 't' or 'r' or ' ' or '(' or ')' or '[' or ']' => 0.42,
                >= 'A' and <= 'Z' => 0.71,
                _ => 0.62,
            };
        }

        return ems * fontSize;
    }

    /// <summary>The text cut to a width, with an ellipsis where something is missing.</summary>
    public static string Fit(string text, double width, double fontSize)
    {
        if (WidthOf(text, fontSize) <= width)
        {
            return text;
        }

        var length = text.Length - 1;
        while (length > 1 && WidthOf(text[..length] + "…", fontSize) > width)
        {
            length--;
        }

        return text[..length].TrimEnd() + "…";
    }

    public void Raw(string markup) => _text.Append(markup);

    public void Line(double x1, double y1, double x2, double y2, string style) =>
        _text.Append($"<line x1=\"{Number(x1)}\" y1=\"{Number(y1)}\" x2=\"{Number(x2)}\" y2=\"{Number(y2)}\" class=\"{style}\"/>");

    public void Rectangle(double x, double y, double width, double height, string style, double radius = 0) =>
        _text.Append($"<rect x=\"{Number(x)}\" y=\"{Number(y)}\" width=\"{Number(width)}\" height=\"{Number(height)}\" ")
            .Append($"rx=\"{Number(radius)}\" class=\"{style}\"/>");

    public void Path(string data, string style) => _text.Append($"<path d=\"{data}\" class=\"{style}\"/>");

    /// <param name="anchor"><c>start</c>, <c>middle</c> or <c>end</c>.</param>
    public void Text(double x, double y, string text, string style, string anchor = "start") =>
        _text.Append($"<text x=\"{Number(x)}\" y=\"{Number(y)}\" text-anchor=\"{anchor}\" class=\"{style}\">{Encode(text)}</text>");

    public override string ToString() => _text.ToString();
}
