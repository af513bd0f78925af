namespace Tarn.Site;

/// <summary>The folder of the repository, and which of its pages the site has.</summary>
internal static class Repository
{
    private static readonly string[] s_folders = ["docs", "samples", "lab"];

    /// <exception cref="DirectoryNotFoundException">The current folder is not in the repository.</exception>
    internal static string FindRoot()
    {
        for (DirectoryInfo? folder = new(Environment.CurrentDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Tarn.slnx")))
            {
                return folder.FullName;
            }
        }

        throw new DirectoryNotFoundException("Run this in the repository: no folder above the current one holds Tarn.slnx.");
    }

    /// <summary>The paths of the pages from the root, with slashes.</summary>
    internal static IReadOnlyList<string> FindPages(string root) =>
    [
        .. Directory.EnumerateFiles(root, "*.md")
            .Concat(s_folders.SelectMany(
                folder => Directory.EnumerateFiles(Path.Combine(root, folder), "*.md", SearchOption.AllDirectories)))
            .Select(path => Path.GetRelativePath(root, path).Replace('\\', '/'))
            .Where(static path => !path.Split('/').Any(static part => part is "bin" or "obj"))
            .Order(StringComparer.Ordinal),
    ];
}
