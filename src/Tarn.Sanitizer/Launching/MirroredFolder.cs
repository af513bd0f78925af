using Tarn.Sanitizing.Platform;

namespace Tarn.Sanitizing.Launching;

/// <summary>A folder of links to the entries of another.</summary>
internal static class MirroredFolder
{
    /// <summary>Links all entries except those of these names.</summary>
    public static void Create(string from, string to, params ReadOnlySpan<string> except)
    {
        _ = Directory.CreateDirectory(to);
        foreach (FileSystemInfo entry in new DirectoryInfo(from).EnumerateFileSystemInfos())
        {
            if (!except.Contains(entry.Name))
            {
                Link(entry, Path.Combine(to, entry.Name));
            }
        }
    }

    /// <summary>Copies a folder and what is in it.</summary>
    public static void Copy(string from, string to)
    {
        _ = Directory.CreateDirectory(to);
        foreach (FileSystemInfo entry in new DirectoryInfo(from).EnumerateFileSystemInfos())
        {
            string path = Path.Combine(to, entry.Name);
            if (entry is DirectoryInfo)
            {
                Copy(entry.FullName, path);
            }
            else
            {
                File.Copy(entry.FullName, path);
            }
        }
    }

    /// <summary>Windows lets only some users create links: others get copies.</summary>
    private static void Link(FileSystemInfo entry, string path)
    {
        try
        {
            _ = entry is DirectoryInfo
                ? Directory.CreateSymbolicLink(path, entry.FullName)
                : File.CreateSymbolicLink(path, entry.FullName);
        }
        catch (Exception exception) when (HostSystem.MayRefuseLinks && exception is IOException or UnauthorizedAccessException)
        {
            if (entry is DirectoryInfo)
            {
                Copy(entry.FullName, path);
            }
            else
            {
                File.Copy(entry.FullName, path);
            }
        }
    }
}
