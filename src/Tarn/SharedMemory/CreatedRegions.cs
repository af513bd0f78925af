using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;

namespace Tarn;

/// <summary>The names that this process created and removes again, when their regions are disposed or when the process ends.</summary>
internal static class CreatedRegions
{
    private static readonly ConcurrentDictionary<Guid, CreatedRegion> s_regions = new();

    static CreatedRegions() => AppDomain.CurrentDomain.ProcessExit += (_, _) => RemoveAll();

    /// <summary>Notes a region that was just created.</summary>
    internal static void Add(NamedMemory names, string name, Guid id) =>
        s_regions[id] = new CreatedRegion(names, name, FindFile(names, name, id));

    /// <summary>Removes a region's name, unless the name now belongs to another region. If the system refuses, the name stays.</summary>
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
            // Dispose does not throw. Once this process has ended, the name is listed as abandoned.
        }
    }

    /// <summary>Finds a region's file; null if the system does not identify files, or another process has removed the name.</summary>
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
    /// Whether a file is the region: by its header or, because other processes may have overwritten the header, by the system's identity of
    /// the file.
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
