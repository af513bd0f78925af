using System.Net;
using System.Text;

namespace Tarn.Pages;

/// <summary>Collects the page; whatever comes from a report goes through <see cref="Text"/> or <see cref="Encode"/>.</summary>
internal sealed class Markup
{
    private readonly StringBuilder _text = new();

    public static string Encode(string text) => WebUtility.HtmlEncode(ForeignText.Lines(text));

    /// <summary>An element's id made of a report's id, safe in a link.</summary>
    public static string Anchor(string prefix, string id) =>
        $"{prefix}-{string.Concat(id.Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' ? c : '-'))}";

    public void Raw(string markup) => _text.Append(markup);

    /// <param name="tag">The element and its attributes, such as <c>p class="note"</c>.</param>
    public void Text(string tag, string text)
    {
        var space = tag.IndexOf(' ', StringComparison.Ordinal);
        _text.Append($"<{tag}>{Encode(text)}</{(space < 0 ? tag : tag[..space])}>\n");
    }

    public void Paragraphs(string text)
    {
        const StringSplitOptions Tidy = StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries;
        foreach (var paragraph in text.ReplaceLineEndings("\n").Split("\n\n", Tidy))
        {
            Text("p", paragraph);
        }
    }

    public override string ToString() => _text.ToString();
}
