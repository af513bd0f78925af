using System.Globalization;
using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

/// <summary>How long a line may be, and how it is found in .editorconfig.</summary>
internal static partial class LineRules
{
    /// <summary>The number that .editorconfig gives for all files.</summary>
    internal static int LimitIn(string editorConfig) =>
        int.Parse(LimitPattern().Match(editorConfig).Groups[1].ValueSpan, CultureInfo.InvariantCulture);

    /// <summary>
    /// The lines that are longer than <paramref name="limit"/> characters. Only lines that cannot be broken may exceed it: in markdown a
    /// row of a table, a heading, and one word or link that stands alone; in C# nothing.
    /// </summary>
    internal static IEnumerable<string> FindLongLines(string path, string text, int limit)
    {
        bool isMarkdown = path.EndsWith(".md", StringComparison.Ordinal);
        return from line in text.Split('\n').Index()
               let length = line.Item.TrimEnd('\r').Length
               where length > limit && !(isMarkdown && UnbreakablePattern().IsMatch(line.Item))
               select $"{path}:{line.Index + 1} has {length} characters, more than {limit}";
    }

    [GeneratedRegex(@"^\[\*\]$.*?^max_line_length = (\d+)$", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex LimitPattern();

    /// <summary>A row of a table, a heading, or a single word or link, if need be behind the mark of a list.</summary>
    [GeneratedRegex(@"^\s*(\||#|([-*] |\d+\. )?!?(\[[^\]]*\]\([^)\s]*\)|\S+)\s*$)")]
    private static partial Regex UnbreakablePattern();
}
