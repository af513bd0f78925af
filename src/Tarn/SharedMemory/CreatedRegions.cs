using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;

namespace Tarn;

/// <summary>The names this process made that go with it: removed when their regions are disposed, or when the process ends.</summary>
internal static class CreatedRegions
{
    private static readonly ConcurrentDictionary<Guid, CreatedRegion> s_regions = new();

    static CreatedRegions() => AppDomain.CurrentDomain.ProcessExit += (_, _) => RemoveAll();

    /// <summary>Notes a region that was just made.</summary>
    internal static void Add(NamedMemory names, string name, Guid id) =>
        s_regions[id] = new CreatedRegion(names, name, FindFile(names, name, id));

    /// <summary>Removes a region's name, unless it is another region's by now; what the system refuses stays.</summary>
    internal static void Remove(Guid id)
    {
        if (!s_regions.TryRemove(id, out CreatedRegion region))
        {
            return;
        }

        try
        {
            region.Names.Remove(RegionNames.ToFileName(region.Name), file => Is(file, id, region.File));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Dispose does not throw. The name is listed as abandoned when this process has ended.
        }
    }

    /// <summary>Which file a region is; null where the system does not say, or others already removed it.</summary>
    private static FileStatus? FindFile(NamedMemory names, string name, Guid id)
    {
        try
        {
            using SafeFileHandle? file = names.TryOpen(RegionNames.ToFileName(name));
            return file is not null && HasId(file, id) ? FileStatus.Of(file) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>
    /// The file is the region: by its header, or, as others may have written over that, by what the system knows of the file.
    /// </summary>
    private static bool Is(SafeFileHandle file, Guid id, FileStatus? made) =>
        HasId(file, id) || (made is { } known && FileStatus.Of(file) is { } found && found.IsSameFile(known));

    private static bool HasId(SafeFileHandle file, Guid id) => RegionFile.IsRegion(file, out RegionHeader header) && header.Id == id;

    private static void RemoveAll()
    {
        foreach (Guid id in s_regions.Keys)
        {
            Remove(id);
        }
    }

    private readonly record struct CreatedRegion(NamedMemory Names, string Name, FileStatus? File);
}
