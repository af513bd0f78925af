using Tarn.SharedMemory;
using Tarn.Tool.Rings;

namespace Tarn.Tool.Tests.Rings;

/// <summary>A directory of a test's own for regions.</summary>
internal sealed class RegionFolder : IDisposable
{
    /// <summary>No system has a process of this number.</summary>
    private const long DeadProcess = 0x7FFF_FFF0L << 32;

    internal RegionFolder()
    {
        string parent = OperatingSystem.IsLinux() ? "/dev/shm" : System.IO.Path.GetTempPath();
        Path = Directory.CreateDirectory(System.IO.Path.Combine(parent, $"tarn-tool-{Guid.NewGuid():n}")).FullName;
        Names = OperatingSystem.IsLinux() ? new LinuxNamedMemory(Path) : new FileNamedMemory(Path);
    }

    internal string Path { get; }

    internal NamedMemory Names { get; }

    internal string FileOf(string name) => System.IO.Path.Combine(Path, RegionNames.Prefix + name);

    internal RegionEntry Entry(string name) => new RegionProbe(Names).Take().Regions.Single(region => region.Name == name);

    /// <summary>Writes over bytes of a file.</summary>
    internal void Overwrite(string name, long offset, ReadOnlySpan<byte> bytes)
    {
        using var file = new FileStream(FileOf(name), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        file.Position = offset;
        file.Write(bytes);
    }

    /// <summary>Makes a region, which nobody has open, that of a process that has ended.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="isPersistent">Whether it stays one that is to outlive that process.</param>
    internal void Orphan(string name, bool isPersistent = false)
    {
        Overwrite(name, OffsetOf(nameof(RegionHeader.Owner)), BitConverter.GetBytes(DeadProcess));
        if (!isPersistent)
        {
            Overwrite(name, OffsetOf(nameof(RegionHeader.IsKept)), [0]);
            Overwrite(name, OffsetOf(nameof(RegionHeader.OwnerLetGo)), [0]);
        }

        static long OffsetOf(string field) => (long)System.Runtime.InteropServices.Marshal.OffsetOf<RegionHeader>(field);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
