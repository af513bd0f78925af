using Tarn.SharedMemory;

namespace Tarn.Fuzz.Targets;

/// <summary>A directory for regions that goes, with all in it, when disposed.</summary>
internal sealed class FuzzDirectory : IDisposable
{
    private readonly string _path = Path.Combine(
        OperatingSystem.IsLinux() ? "/dev/shm" : Path.GetTempPath(), $"tarn-fuzz-{Guid.NewGuid():n}");

    internal FuzzDirectory()
    {
        Directory.CreateDirectory(_path);
        Names = OperatingSystem.IsLinux() ? new LinuxNamedMemory(_path) : new FileNamedMemory(_path);
    }

    internal NamedMemory Names { get; }

    internal byte[] ReadFile(string region, int count)
    {
        using FileStream file = File.OpenRead(FileOf(region));
        byte[] bytes = new byte[count];
        file.ReadExactly(bytes);
        return bytes;
    }

    internal void WriteFile(string region, ReadOnlySpan<byte> beginning, long length)
    {
        using FileStream file = File.Create(FileOf(region));
        file.Write(beginning);
        file.SetLength(length);
    }

    internal void Delete(string region) => File.Delete(FileOf(region));

    public void Dispose() => Directory.Delete(_path, recursive: true);

    private string FileOf(string region) => Path.Combine(_path, RegionNames.Prefix + region);
}
