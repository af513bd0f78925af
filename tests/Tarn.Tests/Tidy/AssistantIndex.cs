using System.Text;
using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

/// <summary>
/// Writes llms.txt in the form of llmstxt.org: what Tarn is, the rules of ownership, and the pages with what each of them says.
/// </summary>
internal static partial class AssistantIndex
{
    private const string Folder = "docs/";

    /// <summary>The text of llms.txt, whose links lead from the root.</summary>
    /// <param name="readme">README.md, of whose first paragraph the quote is made.</param>
    /// <param name="assistants">docs/assistants.md, which has the rules.</param>
    /// <param name="index">docs/README.md, whose sections with tables of pages become lists.</param>
    internal static string Write(string readme, string assistants, string index)
    {
        StringBuilder text = new("# Tarn\n\n");
        foreach (string line in FirstParagraphOf(readme).Split('\n'))
        {
            text.Append("> ").Append(line).Append('\n');
        }

        text.Append("\nRules for C# that rents or returns buffers:\n\n").Append(FromRoot(RulesOf(assistants))).Append('\n');
        foreach (string section in index.Split("\n## ").Skip(1))
        {
            string[] rows = [.. RowPattern().Matches(section).Select(static row => FromRoot($"- {row.Groups[1]}: {row.Groups[2]}"))];
            if (rows.Length > 0)
            {
                text.Append("\n## ").Append(section.Split('\n')[0]).Append("\n\n").AppendJoin('\n', rows).Append('\n');
            }
        }

        return text.ToString();
    }

    /// <summary>The first block of lines that begins with a word: no heading, no badge, no comment.</summary>
    private static string FirstParagraphOf(string readme) =>
        readme.Split("\n\n").Select(static block => block.Trim()).First(static block => char.IsLetter(block[0]));

    private static string RulesOf(string assistants) =>
        assistants.Split("## The rules of ownership\n")[1].Split("\n## ")[0].Trim();

    /// <summary>What a page of docs says, with links that lead from the root.</summary>
    private static string FromRoot(string text) =>
        LinkPattern().Replace(text, static link =>
        {
            string target = link.Groups[1].Value;
            return target.StartsWith("../", StringComparison.Ordinal) ? $"]({target["../".Length..]})" : $"]({Folder}{target})";
        });

    /// <summary>A row of a table whose first cell is a link.</summary>
    [GeneratedRegex(@"^\| (\[[^\]]+\]\([^)]+\)) \| (.+) \|$", RegexOptions.Multiline)]
    private static partial Regex RowPattern();

    /// <summary>A link to another page: addresses and places on the same page stay.</summary>
    [GeneratedRegex(@"\]\(((?!#)[^):]+)\)")]
    private static partial Regex LinkPattern();
}
