namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Regions as tests expect them listed.</summary>
internal static class Listed
{
    internal static SharedRegionInfo Region(string name, long size, int owner, bool isAlive) =>
        new() { Name = name, Size = size, OwnerProcessId = owner, OwnerIsAlive = isAlive };
}
