namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A directory of a test's own for regions, so that tests run side by side; it goes, with all in it, when disposed.</summary>
internal sealed class RegionDirectory : IDisposable
{
    private RegionDirectory(string kind, string parent)
    {
        Kind = kind;
        Path = System.IO.Path.Combine(parent, $"tarn-tests-{Guid.NewGuid():n}");
        Directory.CreateDirectory(Path);
        Names = kind == "linux" && OperatingSystem.IsLinux() ? new LinuxNamedMemory(Path) : new FileNamedMemory(Path);
    }

    /// <summary>The kind as passed to child processes: "linux" or "file".</summary>
    internal string Kind { get; }

    internal string Path { get; }

    internal NamedMemory Names { get; }

    /// <summary>
    /// The names of all files there, also of those that are no regions. On Windows, without those that wait for the end of their mappings
    /// or of their process.
    /// </summary>
    internal string[] Files =>
        [
            .. Directory.EnumerateFileSystemEntries(Path).Select(static path => System.IO.Path.GetFileName(path))
                .Where(static name => !OperatingSystem.IsWindows() || !IsLeftover(name)).Order(StringComparer.Ordinal),
        ];

    /// <summary>In the memory file system, or among the temporary files; skips the test where the system has no such thing.</summary>
    internal static RegionDirectory Create(string kind)
    {
        Skip.If(kind == "linux" && !OperatingSystem.IsLinux(), "This is the named memory of Linux.");
        return new RegionDirectory(kind, kind == "linux" ? "/dev/shm" : System.IO.Path.GetTempPath());
    }

    /// <summary>Where the file of a region lies.</summary>
    internal string FileOf(string name) => System.IO.Path.Combine(Path, RegionNames.Prefix + name);

    private static bool IsLeftover(string name) =>
        name.StartsWith($"tarn~{ProcessIdentity.Self.Value:x}~", StringComparison.Ordinal);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
