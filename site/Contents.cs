using System.Text;

namespace Tarn.Site;

/// <summary>The tables of contents, and a page for each folder of pages that has none.</summary>
internal static class Contents
{
    private static readonly string[] s_listed = ["docs/decisions", "docs/design", "docs/rules"];

    /// <summary>Whether the site makes a page that lists a folder's pages.</summary>
    internal static bool Lists(string folder, IEnumerable<string> pages) =>
        s_listed.Contains(folder.TrimEnd('/')) && pages.Any(page => page.StartsWith(folder.TrimEnd('/') + "/", StringComparison.Ordinal));

    internal static IEnumerable<(string Path, string Text)> Of(string root, IReadOnlyList<string> pages)
    {
        yield return (
            "toc.yml",
            """
            - name: Documentation
              href: docs/
            - name: API
              href: api/
            - name: Samples
              href: samples/index.md
            - name: Measurements
              href: lab/results/index.md
            - name: Changes
              href: CHANGELOG.md
            """);
        yield return ("docs/toc.yml", Documentation(root, pages));
        foreach (string folder in s_listed.Where(folder => !pages.Contains($"{folder}/README.md")))
        {
            StringBuilder list = new($"# {NameOf(folder)}\n\n");
            foreach (string page in In(folder, pages))
            {
                list.Append(null, $"- [{TitleOf(root, page)}]({page[(folder.Length + 1)..]})\n");
            }

            yield return ($"{folder}/index.md", list.ToString());
        }
    }

    /// <summary>The pages in the order in which docs/README.md names them, then those that it does not name.</summary>
    private static string Documentation(string root, IReadOnlyList<string> pages)
    {
        StringBuilder toc = new("- name: How to choose\n  href: index.md\n");
        string table = File.ReadAllText(Path.Combine(root, "docs", "README.md"));
        IEnumerable<string> ordered = In("docs", pages)
            .OrderBy(page => table.IndexOf($"({page["docs/".Length..]})", StringComparison.Ordinal) is >= 0 and var at ? at : int.MaxValue);
        foreach (string page in ordered)
        {
            toc.Append(null, $"- name: {Quoted(TitleOf(root, page))}\n  href: {page["docs/".Length..]}\n");
        }

        toc.Append("- name: Architecture\n  href: ../ARCHITECTURE.md\n- name: Contributing\n  href: ../CONTRIBUTING.md\n");
        toc.Append("- name: Security\n  href: ../SECURITY.md\n");
        foreach (string folder in s_listed)
        {
            toc.Append(null, $"- name: {NameOf(folder)}\n  href: {folder["docs/".Length..]}/index.md\n  items:\n");
            foreach (string page in In(folder, pages))
            {
                toc.Append(null, $"  - name: {Quoted(TitleOf(root, page))}\n    href: {page["docs/".Length..]}\n");
            }
        }

        return toc.ToString();
    }

    /// <summary>The pages of a folder, without its front page.</summary>
    private static IEnumerable<string> In(string folder, IEnumerable<string> pages) =>
        pages.Where(page => page.StartsWith(folder + "/", StringComparison.Ordinal) && page.LastIndexOf('/') == folder.Length
            && page != folder + "/README.md");

    private static string NameOf(string folder) => folder switch
    {
        "docs/decisions" => "Decisions",
        "docs/design" => "Design",
        _ => "Rules of the analyzer",
    };

    private static string TitleOf(string root, string page) =>
        File.ReadLines(Path.Combine(root, page))
            .FirstOrDefault(static line => line.StartsWith("# ", StringComparison.Ordinal))?[2..] ?? page;

    private static string Quoted(string title) => $"\"{title.Replace("\"", "\\\"", StringComparison.Ordinal)}\"";
}
