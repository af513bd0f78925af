using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace Tarn;

/// <summary>The page: one file with its style and script, which loads nothing but its data.</summary>
internal static class PageText
{
    private static readonly string s_style = Load("page.css");
    private static readonly string s_script = Load("page.js");

    private static readonly string s_page = Load("page.html")
        .Replace("{{style}}", s_style, StringComparison.Ordinal)
        .Replace("{{script}}", s_script, StringComparison.Ordinal);

    /// <summary>What a browser may load and run: the page's own style and script, by their hashes, and data of the same origin.</summary>
    internal static string Policy { get; } =
        $"default-src 'none'; style-src '{Hash(s_style)}'; script-src '{Hash(s_script)}'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// <summary>Returns the page.</summary>
    /// <param name="source">The path of its data.</param>
    internal static string Create(string source) => s_page.Replace("{{source}}", WebUtility.HtmlEncode(source), StringComparison.Ordinal);

    private static string Hash(string text) => "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    /// <summary>Reads a resource. Browsers hash a script with the line ends they parsed, which are line feeds.</summary>
    private static string Load(string name)
    {
        using StreamReader reader = new(typeof(PageText).Assembly.GetManifestResourceStream(name)!);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
