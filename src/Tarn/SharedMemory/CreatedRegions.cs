using System.Collections.Concurrent;

namespace Tarn;

/// <summary>The names this process made that go with it: removed when their regions are disposed, or when the process ends.</summary>
internal static class CreatedRegions
{
    private static readonly ConcurrentDictionary<Guid, (NamedMemory Names, string Name)> s_regions = new();

    static CreatedRegions() => AppDomain.CurrentDomain.ProcessExit += (_, _) => RemoveAll();

    internal static void Add(NamedMemory names, string name, Guid id) => s_regions[id] = (names, name);

    /// <summary>Removes a region's name, unless it is another region's by now; what the system refuses stays.</summary>
    internal static void Remove(Guid id)
    {
        if (!s_regions.TryRemove(id, out (NamedMemory Names, string Name) region))
        {
            return;
        }

        try
        {
            region.Names.Remove(
                RegionNames.ToFileName(region.Name), file => RegionFile.IsRegion(file, out RegionHeader header) && header.Id == id);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Dispose does not throw. The name is listed as abandoned when this process has ended.
        }
    }

    private static void RemoveAll()
    {
        foreach (Guid id in s_regions.Keys)
        {
            Remove(id);
        }
    }
}
