namespace Tarn.Tests.Tidy;

/// <summary>The files of this repository, as the house rules read them.</summary>
internal static class Repository
{
    private static readonly string[] s_made = ["bin", "obj", ".git", "artifacts", "TestResults", "lab-out", "node_modules"];

    /// <summary>The folder that holds the solution.</summary>
    internal static string Root { get; } = FindRoot();

    /// <summary>A path from the root, with slashes.</summary>
    internal static string At(string path) => Path.Combine(Root, path.Replace('/', Path.DirectorySeparatorChar));

    /// <summary>Hand-written files below <paramref name="folder"/>, as paths from the root with slashes.</summary>
    internal static IEnumerable<string> Files(string folder, string extension)
    {
        string top = At(folder);
        return Directory.Exists(top) ? Walk(top, extension).Order(StringComparer.Ordinal) : [];
    }

    /// <summary>Whether a file is copied from another project, line by line.</summary>
    internal static bool IsCopied(string path) => path.StartsWith("tests/Tarn.Analyzers.Tests/Pairs/", StringComparison.Ordinal);

    private static IEnumerable<string> Walk(string folder, string extension)
    {
        foreach (string file in Directory.EnumerateFiles(folder, "*" + extension))
        {
            yield return Path.GetRelativePath(Root, file).Replace(Path.DirectorySeparatorChar, '/');
        }

        foreach (string inner in Directory.EnumerateDirectories(folder))
        {
            if (!s_made.Contains(Path.GetFileName(inner)))
            {
                foreach (string file in Walk(inner, extension))
                {
                    yield return file;
                }
            }
        }
    }

    private static string FindRoot()
    {
        for (string? folder = AppContext.BaseDirectory; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, "Tarn.slnx")))
            {
                return folder;
            }
        }

        throw new InvalidOperationException("The tests do not run inside the repository.");
    }
}
