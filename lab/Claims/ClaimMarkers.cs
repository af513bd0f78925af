using System.Text.RegularExpressions;

namespace Tarn.Lab.Claims;

/// <summary>
/// Figures inside documents, between <c>&lt;!-- claim:ID --&gt;</c> and <c>&lt;!-- /claim --&gt;</c>; a table between them begins with a
/// new line. Pure text in, text out.
/// </summary>
internal static partial class ClaimMarkers
{
    /// <summary>Returns the text with every figure replaced by the measured one, and the problems of the original.</summary>
    public static FilledText Fill(string text, IReadOnlyDictionary<string, string> figures)
    {
        var problems = new List<string>();
        int markers = 0;
        string filled = Marker().Replace(text, match =>
        {
            markers++;
            string id = match.Groups["id"].Value;
            string stated = match.Groups["figure"].Value;
            if (!figures.TryGetValue(id, out string? measured))
            {
                problems.Add($"claim '{id}' has no measured figure");
                return match.Value;
            }

            if (stated == measured)
            {
                return match.Value;
            }

            problems.Add($"claim '{id}' is stated as '{stated}' and was measured as '{measured}'");
            return $"<!-- claim:{id} -->{measured}<!-- /claim -->";
        });

        if (markers != Opening().Count(text) || markers != Closing().Count(text))
        {
            problems.Add("a claim marker is not closed, or closed twice");
        }

        return new FilledText(filled, problems);
    }

    [GeneratedRegex("<!-- claim:(?<id>[a-z0-9-]+) -->(?<figure>[^<]*|\\n(?:(?!<!--)[\\s\\S])*)<!-- /claim -->")]
    private static partial Regex Marker();

    [GeneratedRegex("<!-- *claim:")]
    private static partial Regex Opening();

    [GeneratedRegex("<!-- */claim *-->")]
    private static partial Regex Closing();
}
