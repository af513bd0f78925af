using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Tests.Support;

/// <summary>
/// The expectations in a case's comments, line by line: <c>// expect TARN001 TARN002</c>. All other lines expect silence.
/// </summary>
internal static partial class Expectations
{
    /// <summary>The lines at which the reports differ from the expectations.</summary>
    internal static IReadOnlyList<string> Compare(Analyzed analyzed)
    {
        string[] lines = analyzed.Source.Split('\n');
        List<string> wrong = [];
        // A hidden report counts only where a case is about its rule.
        ILookup<int, Diagnostic> found =
            analyzed.Diagnostics.Where(diagnostic =>
                diagnostic.Severity > DiagnosticSeverity.Hidden || analyzed.Source.Contains(diagnostic.Id, StringComparison.Ordinal))
            .ToLookup(static diagnostic => diagnostic.Location.GetLineSpan().StartLinePosition.Line);
        for (int i = 0; i < lines.Length; i++)
        {
            string[] expected = Expected().Match(lines[i]) is { Success: true } match
                ? match.Groups[1].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries)
                : [];
            string[] actual = [.. found[i].Select(static diagnostic => diagnostic.Id).Order(StringComparer.Ordinal)];
            if (!expected.Order(StringComparer.Ordinal).SequenceEqual(actual))
            {
                string told = string.Join(
                    "; ", found[i].Select(static diagnostic => $"{diagnostic.Severity} {diagnostic.Id} {diagnostic.GetMessage(null)}"));
                wrong.Add($"line {i + 1}: expected [{string.Join(' ', expected)}], found [{told}]: {lines[i].Trim()}");
            }
        }

        return wrong;
    }

    /// <summary>The .editorconfig settings of a case: <c>// option name = value</c>, a line each.</summary>
    internal static IReadOnlyDictionary<string, string> OptionsIn(string source) =>
        Option().Matches(source).ToDictionary(static match => match.Groups[1].Value, static match => match.Groups[2].Value.Trim());

    [GeneratedRegex(@"^// option (\w+) = (.+)$", RegexOptions.Multiline)]
    private static partial Regex Option();

    /// <summary>Whether anything is expected at all.</summary>
    internal static bool Any(Analyzed analyzed) => Expected().IsMatch(analyzed.Source);

    [GeneratedRegex(@"// expect ((TARN\d{3} ?)+)")]
    private static partial Regex Expected();
}
