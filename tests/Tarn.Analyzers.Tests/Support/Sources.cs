namespace Tarn.Analyzers.Tests.Support;

/// <summary>Where the sources lie that these tests were built from.</summary>
internal static class Sources
{
    /// <summary>The folder that holds the solution.</summary>
    internal static string Root { get; } = FindRoot();

    /// <summary>How these tests were built: the name above the target framework's.</summary>
    internal static string Configuration { get; } = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    /// <summary>A path from the root, with slashes.</summary>
    internal static string At(string path) => Path.Combine(Root, path.Replace('/', Path.DirectorySeparatorChar));

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
