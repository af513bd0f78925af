using System.Text.RegularExpressions;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Pages;

/// <summary>A rule's page: its heading, and the examples under it.</summary>
internal sealed partial class RulePage
{
    private const string Usings =
        "using System; using System.Buffers; using System.Collections.Generic; using System.IO; using System.Linq; using "
            + "System.Security.Cryptography; "
        + "using System.Threading; using System.Threading.Tasks; using Tarn; ";

    private readonly string _text;

    private RulePage(string text)
    {
        _text = text;
    }

    internal static IEnumerable<string> Ids =>
        Directory.GetFiles(Sources.At("docs/rules"), "*.md").Select(static path => Path.GetFileNameWithoutExtension(path))
            .Order(StringComparer.Ordinal);

    internal string Heading => _text.Split('\n')[0];

    internal string Severity => FactsPattern().Match(_text).Groups[1].Value;

    internal bool SaysFix => FactsPattern().Match(_text).Groups[2].Value != "none";

    internal IEnumerable<string> Sections => from match in SectionPattern().Matches(_text) select match.Groups[1].Value;

    /// <summary>The words that say what the rule finds and why that hurts, without links.</summary>
    internal IEnumerable<string> Description =>
        WordsOf(LinkPattern().Replace($"{SectionOf("What it finds")} {SectionOf("Why it hurts")}", "$1"));

    internal static RulePage Read(string id) => new(File.ReadAllText(Sources.At($"docs/rules/{id}.md")));

    /// <summary>The examples of a section, each as a file that compiles.</summary>
    internal IEnumerable<string> ExamplesOf(string section) => ExamplesIn(SectionOf(section));

    internal static IEnumerable<string> WordsOf(string text) => text.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries);

    /// <summary>The examples of a document are members of some type, after the namespaces that they import.</summary>
    internal static IEnumerable<string> ExamplesIn(string markdown) =>
        from match in BlockPattern().Matches(markdown)
        select $"{Usings}{match.Groups[1].Value}internal sealed class Examples {{\n{match.Groups[2].Value}}}\n";

    /// <summary>A section without its heading.</summary>
    private string SectionOf(string section)
    {
        string heading = $"\n## {section}\n";
        int start = _text.IndexOf(heading, StringComparison.Ordinal) + heading.Length;
        return _text[start.._text.IndexOf("\n## ", start, StringComparison.Ordinal)];
    }

    [GeneratedRegex(@"^Severity: ([^\n.]+)\. Fix: ([^\n.]+)\.$", RegexOptions.Multiline)]
    private static partial Regex FactsPattern();

    [GeneratedRegex(@"\[([^]]*)]\([^)]*\)")]
    private static partial Regex LinkPattern();

    [GeneratedRegex("^## (.+)$", RegexOptions.Multiline)]
    private static partial Regex SectionPattern();

    [GeneratedRegex("^```csharp\n((?:using [^\n]*;\n)*)(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex BlockPattern();
}
