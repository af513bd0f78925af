namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Regions in the memory file system, as on Linux.</summary>
public sealed class LinuxRegionContractTests() : RegionContract("linux");
