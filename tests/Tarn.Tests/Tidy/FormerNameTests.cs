using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

/// <summary>No page names what the first version no longer has.</summary>
public sealed partial class FormerNameTests
{
    private const string Decision = "docs/decisions/0042-a-surface-for-1-0.md";

    /// <summary>Tells of recorded runs of earlier commits.</summary>
    private const string Recordings = "docs/lab.md";

    private static readonly string[] s_surfaces =
    [
        "tests/Tarn.Tests/Tidy/PublicSurface.approved.txt", "tests/Tarn.SharedMemory.Tests/PublicSurface.approved.txt",
    ];

    [Fact]
    public void Pages_do_not_name_what_has_another_name_now()
    {
        string[][] rows =
        [
            .. File.ReadLines(Repository.At(Decision)).SkipWhile(static line => line != "## Old and new")
                .TakeWhile(static line => line != "## Beside others").Where(static line => line.StartsWith("| ", StringComparison.Ordinal))
                .Select(static line => line.Split('|')),
        ];
        string now = string.Concat(s_surfaces.Select(static file => File.ReadAllText(Repository.At(file))))
            + string.Concat(rows.Select(static row => row[2]));
        string[] former =
        [
            .. rows.SelectMany(static row => Names().Matches(row[1]).Select(static match => match.Value)).Distinct()
                .Where(name => !Regex.IsMatch(now, $@"(\b|_){name}\b")),
        ];
        Assert.True(former.Length > 20, string.Join(", ", former));

        string[] named =
        [
            .. from page in Repository.Files("docs", ".md").Append("README.md").Append("ARCHITECTURE.md")
               where !page.StartsWith("docs/decisions/", StringComparison.Ordinal) && page != Recordings
               from code in Code().Matches(File.ReadAllText(Repository.At(page))).Select(static match => match.Value)
               from name in former
               where Regex.IsMatch(code, $@"\b{name}\b")
               select $"{page}: {code}",
        ];
        Assert.True(named.Length == 0, string.Join('\n', named));
    }

    /// <summary>Words with a second capital letter, as members have; a word with one may be English.</summary>
    [GeneratedRegex(@"\b[A-Z][a-z]+[A-Z][A-Za-z]*\b")]
    private static partial Regex Names();

    [GeneratedRegex("`[^`\n]+`")]
    private static partial Regex Code();
}
