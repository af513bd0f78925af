using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>The names that this process created and removes again, when their regions are disposed or when the process ends.</summary>
internal static class CreatedRegions
{
    private static readonly ConcurrentDictionary<Guid, CreatedRegion> s_regions = new();

    static CreatedRegions() => AppDomain.CurrentDomain.ProcessExit += (_, _) => RemoveAll();

    /// <summary>Notes a region that was just created.</summary>
    /// <param name="names">Where its name is.</param>
    /// <param name="name">Its name.</param>
    /// <param name="id">Its identity.</param>
    /// <param name="status">The identity of its file.</param>
    /// <param name="file">
    /// Its open file, if the creator has a seat in it. So a region that was forgotten keeps its seat as long as it keeps its name.
    /// </param>
    internal static void Add(NamedMemory names, string name, Guid id, FileStatus status, SafeFileHandle? file) =>
        Uninterrupted.Call(
            static add => s_regions[add.Id] = add.Created, (Id: id, Created: new CreatedRegion(names, name, status, file)));

    /// <summary>Removes a region's name, unless the name now belongs to another region. If the system refuses, the name stays.</summary>
    internal static void Remove(Guid id)
    {
        if (Uninterrupted.Get(() => s_regions.TryRemove(id, out CreatedRegion removed) ? removed : default(CreatedRegion?))
            is not { } region)
        {
            return;
        }

        try
        {
            region.Names.Remove(RegionNames.ToFileName(region.Name), file => Is(file, id, region.Status));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Dispose does not throw. Once this process has ended, the name is listed as abandoned.
        }
    }

    /// <summary>
    /// Whether a file is the region: by its header or, because other processes may have overwritten the header, by the system's identity of
    /// the file.
    /// </summary>
    private static bool Is(SafeFileHandle file, Guid id, FileStatus made) =>
        HasId(file, id) || FileStatus.Of(file).IsSameFile(made);

    private static bool HasId(SafeFileHandle file, Guid id) => RegionFile.IsRegion(file, out RegionHeader header) && header.Id == id;

    private static void RemoveAll()
    {
        foreach (Guid id in s_regions.Keys)
        {
            Remove(id);
        }
    }

    private readonly record struct CreatedRegion(NamedMemory Names, string Name, FileStatus Status, SafeFileHandle? File);
}
