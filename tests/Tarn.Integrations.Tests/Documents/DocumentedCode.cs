using System.Text.RegularExpressions;

namespace Tarn.Integrations.Tests.Documents;

/// <summary>The C# blocks of a document, and the regions of the tested sources that they must equal.</summary>
internal static partial class DocumentedCode
{
    internal static string Root { get; } = FindRoot();

    /// <summary>The blocks of a document, without the space at their ends.</summary>
    internal static IEnumerable<string> BlocksOf(string document) =>
        from match in BlockPattern().Matches(File.ReadAllText(Path.Combine(Root, document))) select match.Groups[1].Value.TrimEnd();

    /// <summary>The regions of the sources in a folder of this project, moved to the left margin.</summary>
    internal static IEnumerable<string> RegionsOf(string folder) =>
        from file in Directory.GetFiles(Path.Combine(Root, "tests/Tarn.Integrations.Tests", folder), "*.cs").Order(StringComparer.Ordinal)
        from match in RegionPattern().Matches(File.ReadAllText(file))
        select Unindent(match.Groups[1].Value);

    private static string Unindent(string code)
    {
        string[] lines = code.TrimEnd().Split('\n');
        int margin = lines.Where(static line => line.Length > 0).Min(static line => line.Length - line.TrimStart().Length);
        return string.Join('\n', lines.Select(line => line.Length > 0 ? line[margin..] : line));
    }

    private static string FindRoot()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "Tarn.slnx")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new InvalidOperationException("The tests do not run inside the repository.");
    }

    [GeneratedRegex("^```csharp\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex BlockPattern();

    [GeneratedRegex("^ *#region [^\n]+\n(.*?)^ *#endregion", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex RegionPattern();
}
