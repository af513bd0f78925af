namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Regions among the temporary files, as on macOS and Windows.</summary>
public sealed class FileRegionContractTests() : RegionContract("file");
