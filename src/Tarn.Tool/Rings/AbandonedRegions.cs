using Microsoft.Win32.SafeHandles;
using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Deletes regions whose creators have exited and that no living process has open, and says of each why.</summary>
/// <remarks>
/// <see cref="SharedRegion.DeleteAbandoned()"/> also deletes those that others have open. That is for a program that knows its own regions;
/// this is for people who clean a machine. Either leaves what is to outlive its creator; here a name deletes that, too.
/// </remarks>
internal static class AbandonedRegions
{
    /// <summary>Deletes what is abandoned. What others may have made, what is damaged and what is to stay stays.</summary>
    public static IReadOnlyList<RegionDeletion> Delete(NamedMemory names)
    {
        names.RemoveLeftovers();
        return
        [
            .. names.GetNames(RegionNames.Prefix).Order(StringComparer.Ordinal)
                .Select(fileName => Delete(names, fileName, takesPersistent: false)),
        ];
    }

    /// <summary>Deletes the region of that name, also one that is to outlive its creator.</summary>
    /// <exception cref="ArgumentException">No region has such a name.</exception>
    public static RegionDeletion DeleteNamed(NamedMemory names, string name) =>
        Delete(names, RegionNames.ToFileName(name), takesPersistent: true);

    private static RegionDeletion Delete(NamedMemory names, string fileName, bool takesPersistent)
    {
        string reason = takesPersistent ? "there is none" : "it was gone already";
        long size = 0;
        bool isDeleted = false;
        try
        {
            isDeleted = names.Remove(fileName, file =>
            {
                (bool isAbandoned, reason) = Judge(file, fileName[RegionNames.Prefix.Length..], takesPersistent);
                size = isAbandoned ? RandomAccess.GetLength(file) : 0;
                return isAbandoned;
            });
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            reason = $"the system refuses: {e.Message}";
        }

        return new RegionDeletion(fileName[RegionNames.Prefix.Length..], isDeleted, isDeleted ? size : 0, reason);
    }

    private static (bool IsAbandoned, string Reason) Judge(SafeFileHandle file, string name, bool takesPersistent)
    {
        if (RegionFile.Examine(file, out RegionHeader header) is { } wrong)
        {
            return (false, wrong);
        }

        if (FileStatus.Of(file) is { } status && status.Owner != FileStatus.CurrentUser)
        {
            return (false, $"it belongs to user {status.Owner}");
        }

        int creator = header.Owner.Id;
        return RegionFile.StateOfOwner(file, header) switch
        {
            HolderState.Running => (false, $"its creator, process {creator}, runs"),
            HolderState.Unknown => (false, $"it cannot be seen whether its creator, process {creator}, runs"),
            _ when header.IsPersistent && !takesPersistent =>
                (false, $"it is to outlive its creator, process {creator}: delete it with tarn rings --delete {name}"),
            _ => FileLease.IsOpenElsewhere(file) switch
            {
                false => (true, $"its creator, process {creator}, has exited, and no process has it open"),
                true => (false, $"its creator, process {creator}, has exited, but another process has it open"),
                null => (false, "this system does not tell whether a process has it open: if none has, delete it with SharedRegion.Delete"),
            },
        };
    }
}
