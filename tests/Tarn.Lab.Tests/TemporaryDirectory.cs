namespace Tarn.Lab.Tests;

/// <summary>A directory of one test, gone with it.</summary>
internal sealed class TemporaryDirectory : IDisposable
{
    private TemporaryDirectory(string path) => Path = path;

    public TemporaryDirectory()
        : this(Directory.CreateTempSubdirectory("tarn-lab-").FullName)
    {
    }

    public string Path { get; }

    /// <summary>
    /// A directory inside the repository, for programs that look for sources above their current folder: a build server's paths begin
    /// with /_/, and the rest leads there from the repository's root.
    /// </summary>
    public static TemporaryDirectory InRepository()
    {
        string path = System.IO.Path.Combine(AppContext.BaseDirectory, "temporary", Guid.NewGuid().ToString("N"));
        return new(Directory.CreateDirectory(path).FullName);
    }

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
