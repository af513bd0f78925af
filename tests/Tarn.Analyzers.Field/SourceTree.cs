namespace Tarn.Analyzers.Field;

/// <summary>A folder of sources with projects in it, at one commit.</summary>
internal sealed class SourceTree(string root)
{
    internal string Root { get; } = Path.GetFullPath(root);

    internal IEnumerable<ProjectFile> Projects =>
        Directory.EnumerateFiles(Root, "*.csproj", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(Open);

    internal ProjectFile Open(string path) => new(path, Root);

    internal string PathOf(string file) => Path.Combine(Root, file);

    /// <summary>The project of the nearest folder above a file that has one.</summary>
    internal ProjectFile ProjectOf(string file)
    {
        for (string? folder = Path.GetDirectoryName(file); folder?.Length >= Root.Length; folder = Path.GetDirectoryName(folder))
        {
            if (Directory.EnumerateFiles(folder, "*.csproj").MinBy(static path => path.Length) is { } path)
            {
                return Open(path);
            }
        }

        return Open(Path.Combine(Path.GetDirectoryName(file)!, "none.csproj"));
    }
}
