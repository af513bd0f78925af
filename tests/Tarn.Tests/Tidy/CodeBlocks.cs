using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

/// <summary>The C# examples of a document, as text.</summary>
internal static partial class CodeBlocks
{
    internal static IEnumerable<string> Extract(string markdown) =>
        from match in BlockPattern().Matches(markdown) select match.Groups[1].Value;

    [GeneratedRegex("^```csharp[ \\t]*\\r?\\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex BlockPattern();
}
