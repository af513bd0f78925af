using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The named memory that the starting process selects by two words: the kind and the directory.</summary>
internal static class RegionSystem
{
    internal static NamedMemory Open(string kind, string directory) => kind switch
    {
        "linux" when OperatingSystem.IsLinux() => new LinuxNamedMemory(directory),
        "file" => new FileNamedMemory(directory),
        _ => NamedMemory.Current,
    };
}
