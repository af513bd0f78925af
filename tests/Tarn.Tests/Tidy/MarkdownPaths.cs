using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

/// <summary>The paths that a markdown document names: targets of links, and inline code that has the shape of a path.</summary>
internal static partial class MarkdownPaths
{
    /// <summary>Paths named outside fenced blocks that <paramref name="exists"/> does not know.</summary>
    internal static IEnumerable<string> FindMissing(string markdown, Func<string, bool> exists)
    {
        string prose = FencePattern().Replace(markdown, "");
        IEnumerable<string> links =
            from match in LinkPattern().Matches(prose)
            let target = match.Groups[1].Value.Split('#')[0]
            where target.Length > 0 && !target.Contains(':', StringComparison.Ordinal)
            select target;
        IEnumerable<string> code = from match in CodePattern().Matches(prose) select match.Groups[1].Value;
        return links.Concat(code).Distinct().Where(path => !exists(path));
    }

    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex FencePattern();

    [GeneratedRegex(@"\]\(<?([^)\s>]+)>?[^)]*\)")]
    private static partial Regex LinkPattern();

    /// <summary>
    /// A path has a slash between names, or is a file of a kind that only we write; wildcards and placeholders are not paths.
    /// </summary>
    [GeneratedRegex(@"`((?:\.{1,2}/)*[\w.\-]+(?:/[\w.\-]+)+/?|[\w.\-]+/|[\w\-]+(?:\.[\w\-]+)*\.(?:cs|csproj|props|slnx))`")]
    private static partial Regex CodePattern();
}
