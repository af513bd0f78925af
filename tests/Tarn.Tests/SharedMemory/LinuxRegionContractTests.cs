namespace Tarn.Tests.SharedMemory;

/// <summary>Regions in the memory file system, as on Linux.</summary>
public sealed class LinuxRegionContractTests() : RegionContract("linux");
