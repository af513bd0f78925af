using Tarn.Sanitizing.Platform;

namespace Tarn.Sanitizing.Launching;

/// <summary>Removes private copies, except those that a process uses or is about to.</summary>
/// <remarks>A copy is renamed under its lock, so that nobody finds a part of one, and then removed.</remarks>
internal static class UnusedCopies
{
    private const string Unfinished = ".new-";

    /// <summary>Copies that nobody used for this long are removed.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(30);

    /// <summary>
    /// For an older copy of the same framework or application, which was updated since: nobody starts on it any more, but who was just
    /// about to may still.
    /// </summary>
    private static readonly TimeSpan s_longestOfOutdated = TimeSpan.FromHours(1);

    /// <summary>The name of a copy that is not finished, or not removed yet.</summary>
    public static string NameUnfinished(string folder) => Path.Combine(folder, $"{Unfinished}{Guid.NewGuid():N}");

    /// <summary>Removes the copies under a root that are not used any more, whichever version of the sanitizer made them.</summary>
    public static void Prune(string root)
    {
        foreach (string folder in FoldersIn(root))
        {
            RemoveUnfinished(folder);
            foreach (IGrouping<string, string> ofSource in CopiesIn(folder).GroupBy(PrivateCopy.SourceOf))
            {
                string latest = ofSource.MaxBy(PrivateCopy.UsedAt)!;
                foreach (string copy in ofSource)
                {
                    _ = TryRemove(copy, copy == latest ? s_longest : s_longestOfOutdated);
                }
            }

            RemoveIfEmpty(folder);
        }
    }

    /// <summary>Removes all copies under a root that no process uses. Returns how many those were, and how many remain.</summary>
    public static (int Removed, int Remaining) Clear(string root)
    {
        (int removed, int remaining) = (0, 0);
        foreach (string folder in FoldersIn(root))
        {
            RemoveUnfinished(folder);
            foreach (string copy in CopiesIn(folder))
            {
                if (TryRemove(copy))
                {
                    removed++;
                }
                else
                {
                    remaining++;
                }
            }

            RemoveIfEmpty(folder);
        }

        return (removed, remaining);
    }

    /// <summary>Removes a copy that no process uses now, or used within this time.</summary>
    public static bool TryRemove(string copy, TimeSpan unused = default)
    {
        string removed = NameUnfinished(Path.GetDirectoryName(copy)!);
        try
        {
            using (FileStream held = PrivateCopy.Lock(copy))
            {
                if (unused > TimeSpan.Zero && DateTime.UtcNow - PrivateCopy.UsedAt(copy) < unused)
                {
                    return false;
                }

                if (HostSystem.KeepsOpenFolders)
                {
                    held.Dispose();
                }

                Directory.Move(copy, removed);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }

        Remove(removed);
        return true;
    }

    /// <summary>Removes a copy without a description, which somebody has begun to remove.</summary>
    public static void RemoveRest(string copy)
    {
        string removed = NameUnfinished(Path.GetDirectoryName(copy)!);
        try
        {
            Directory.Move(copy, removed);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Somebody else was first.
            return;
        }

        Remove(removed);
    }

    /// <summary>Removes what this process did not finish, and what others left unfinished a day ago.</summary>
    public static void RemoveUnfinished(string folder, string own = "")
    {
        foreach (string unfinished in Directory.GetDirectories(folder, $"{Unfinished}*"))
        {
            if (unfinished == own || Directory.GetLastWriteTimeUtc(unfinished) < DateTime.UtcNow.AddDays(-1))
            {
                Remove(unfinished);
            }
        }
    }

    /// <summary>The folder of each version of the sanitizer. What else lies under the root is not ours.</summary>
    private static IEnumerable<string> FoldersIn(string root) =>
        Directory.Exists(root) ? Directory.GetDirectories(root).Where(folder => PrivateCopies.IsFolderName(Path.GetFileName(folder))) : [];

    private static string[] CopiesIn(string folder) => [.. Directory.GetDirectories(folder).Where(PrivateCopy.Exists)];

    private static void Remove(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Another process removes it too, or it is not ours.
        }
    }

    private static void RemoveIfEmpty(string folder)
    {
        if (!Directory.EnumerateFileSystemEntries(folder).Any())
        {
            try
            {
                Directory.Delete(folder);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Somebody builds a copy there now.
            }
        }
    }
}
