using System.Runtime.Versioning;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Regions in the memory file system, as on Linux.</summary>
public sealed class LinuxRegionContractTests() : RegionContract("linux")
{
    /// <summary>A small container may have neither the directory nor a file system for it.</summary>
    [SkippableTheory]
    [InlineData("/dev/shm/tarn-tests-none", "there is no directory /dev/shm/tarn-tests-none")]
    [InlineData("/proc", "the file system of /proc has no files without a name (O_TMPFILE)")]
    [SupportedOSPlatform("linux")]
    public void A_directory_for_no_shared_memory_is_refused_with_what_it_lacks(string directory, string lack)
    {
        LinuxNamedMemory names = new(directory);
        Assert.Equal(
            $"{directory}/tarn.a cannot be created: {lack}. Shared memory needs a memory file system (tmpfs) there.",
            Assert.Throws<IOException>(() => SharedRegion.Create(names, "a", 1, options: null)).Message);
    }
}
