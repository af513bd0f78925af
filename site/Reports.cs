namespace Tarn.Site;

/// <summary>The lab's reports of the runs under lab/results, which the lab draws from their results.json.</summary>
internal static class Reports
{
    private const string Folder = "lab/results";

    /// <summary>The folders of the runs, relative to lab/results.</summary>
    internal static IReadOnlyList<string> FindRuns(string root)
    {
        string folder = Path.Combine(root, Folder);
        return
        [
            .. Directory.GetDirectories(folder)
                .Where(static run => File.Exists(Path.Combine(run, "results.json")))
                .Select(static run => Path.GetFileName(run))
                .Order(StringComparer.Ordinal),
        ];
    }

    internal static string ResultsOf(string run) => $"{Folder}/{run}/results.json";

    internal static string PageOf(string run) => $"{Folder}/{run}/report.html";

    /// <summary>A run's page with a link to its report under the title; other pages as they are.</summary>
    internal static string Link(string root, string page, string text) =>
        FindRuns(root).Any(run => page == $"{Folder}/{run}/README.md")
            ? text.Insert(text.IndexOf('\n', StringComparison.Ordinal) + 1, "\n**[The report of this run](report.html)**\n")
            : text;
}
