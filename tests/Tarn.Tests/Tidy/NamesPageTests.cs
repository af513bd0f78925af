using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

/// <summary>docs/design/names.md compares each public type with those of other libraries.</summary>
public sealed partial class NamesPageTests
{
    private static readonly string[] s_types =
    [
        .. Repository.Files("tests", "Surface.approved.txt")
            .SelectMany(static path => TypePattern().Matches(File.ReadAllText(Repository.At(path))))
            .Select(static match => match.Groups[1].Value),
    ];

    [Fact]
    public void Every_public_type_is_in_one_row()
    {
        string[] named =
        [
            .. File.ReadLines(Repository.At("docs/design/names.md")).Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
                .SelectMany(static row => NamePattern().Matches(row.Split('|')[1])).Select(static match => match.Groups[1].Value),
        ];

        Assert.True(s_types.Length > 50, string.Join(", ", s_types));
        Assert.Equal(s_types.Order(StringComparer.Ordinal), named.Order(StringComparer.Ordinal));
    }

    /// <summary>The head of a type, as <see cref="PublicSurface"/> prints it.</summary>
    [GeneratedRegex(@"^(?:[a-z]+ )*(?:class|struct|enum|interface|delegate) (\w+)", RegexOptions.Multiline)]
    private static partial Regex TypePattern();

    [GeneratedRegex("`([A-Z]\\w+)(?:<T>)?`")]
    private static partial Regex NamePattern();
}
