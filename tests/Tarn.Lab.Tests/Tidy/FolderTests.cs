using System.Text.RegularExpressions;
using Tarn.Lab.Claims;

namespace Tarn.Lab.Tests.Tidy;

/// <summary>The lab's folders are its namespaces, and of two folders at most one uses the other.</summary>
public partial class FolderTests
{
    private static readonly string[] s_otherProjects = ["Against", "Counted", "Scenarios", "Server", "Unoptimized", "bin", "obj"];

    [Fact]
    public void The_namespace_of_a_file_is_its_folder() =>
        Assert.DoesNotContain(Sources(), source => NamespacePattern().Match(source.Text) is { Success: true } found
            && found.Groups[1].Value != NamespaceOf(source.Folder));

    [Fact]
    public void No_two_folders_use_each_other()
    {
        HashSet<(string From, string To)> uses = FindUses([.. Sources()]);

        Assert.Contains(("Experiments/Arrays", "Experiments"), uses);
        Assert.DoesNotContain(uses, use => uses.Contains((use.To, use.From)));
    }

    [Fact]
    public void A_use_is_found_by_its_using_or_by_the_name_of_a_type_of_a_folder_above()
    {
        HashSet<(string From, string To)> uses = FindUses(
        [
            ("A", "namespace Tarn.Lab.A;\nclass Above { B.Inner inner; }"),
            ("A/B", "namespace Tarn.Lab.A.B;\n/// <see cref=\"Above\"/>\nclass Inner { }"),
            ("A/C", "namespace Tarn.Lab.A.C;\nclass Other : Above { }"),
            ("D", "using Tarn.Lab.A.B;\nnamespace Tarn.Lab.D;\nclass Last { }"),
        ]);

        Assert.Equal([("A/C", "A"), ("D", "A/B")], uses.Order());
    }

    /// <summary>A folder sees its own types and those of the folders it lies in; for all else it has a using.</summary>
    private static HashSet<(string From, string To)> FindUses((string Folder, string Text)[] sources)
    {
        Dictionary<string, string> folders = sources.Select(source => source.Folder).Distinct().ToDictionary(NamespaceOf);
        ILookup<string, string> types = sources
            .SelectMany(source => TypePattern().Matches(source.Text), (source, found) => (source.Folder, Type: found.Groups[1].Value))
            .ToLookup(declared => declared.Folder, declared => declared.Type);
        HashSet<(string From, string To)> uses = [];
        foreach ((string folder, string text) in sources)
        {
            string code = CommentPattern().Replace(text, "");
            uses.UnionWith(UsingPattern().Matches(code)
                .Where(found => folders.ContainsKey(found.Groups[1].Value))
                .Select(found => (folder, folders[found.Groups[1].Value])));
            HashSet<string> words = [.. WordPattern().Matches(code).Select(word => word.Value)];
            uses.UnionWith(types
                .Where(above => folder.StartsWith(above.Key + "/", StringComparison.Ordinal) && above.Any(words.Contains))
                .Select(above => (folder, above.Key)));
        }

        return uses;
    }

    private static IEnumerable<(string Folder, string Text)> Sources()
    {
        string lab = Path.Combine(ClaimDocuments.FindRepositoryRoot(), "lab");
        return
            from file in Directory.EnumerateFiles(lab, "*.cs", SearchOption.AllDirectories)
            let folder = Path.GetRelativePath(lab, Path.GetDirectoryName(file)!).Replace('\\', '/')
            where folder != "." && !s_otherProjects.Contains(folder.Split('/')[0])
            select (folder, File.ReadAllText(file));
    }

    private static string NamespaceOf(string folder) => "Tarn.Lab." + folder.Replace('/', '.');

    [GeneratedRegex(@"^namespace ([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex NamespacePattern();

    [GeneratedRegex(@"^using (?:\w+ = \w+::)?([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex UsingPattern();

    [GeneratedRegex(@"^[\w ]*\b(?:class|struct|interface|enum|record) (?:struct |class )?(\w+)", RegexOptions.Multiline)]
    private static partial Regex TypePattern();

    [GeneratedRegex("//.*$", RegexOptions.Multiline)]
    private static partial Regex CommentPattern();

    [GeneratedRegex(@"\w+")]
    private static partial Regex WordPattern();
}
