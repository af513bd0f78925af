using System.Diagnostics;
using Microsoft.Win32.SafeHandles;
using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Reads all shared memory that has a name, again and again: each time with what passed since the time before.</summary>
/// <param name="names">Where the names are.</param>
internal sealed class RegionProbe(NamedMemory names)
{
    private readonly ProcessNames _processes = new();
    private Dictionary<string, RegionEntry> _before = [];
    private long _takenAt;

    /// <summary>Reads everything. Files that are no regions, and damaged ones, are told.</summary>
    public RingsSnapshot Take()
    {
        double seconds = _takenAt == 0 ? 0 : Stopwatch.GetElapsedTime(_takenAt).TotalSeconds;
        DateTimeOffset at = DateTimeOffset.Now;
        _takenAt = Stopwatch.GetTimestamp();
        RegionEntry[] regions =
        [
            .. names.GetNames(RegionNames.Prefix).Order(StringComparer.Ordinal).Select(file => Describe(file, seconds))
                .OfType<RegionEntry>(),
        ];
        _before = regions.ToDictionary(static region => region.Name);
        return new RingsSnapshot
        {
            Format = RingsSnapshot.CurrentFormat,
            At = at,
            Folder = names.Directory,
            Seconds = seconds,
            Regions = regions,
            Deletions = null,
        };
    }

    /// <summary>Describes a file; null if it has gone since it was listed.</summary>
    private RegionEntry? Describe(string fileName, double seconds)
    {
        RegionEntry entry = new(fileName[RegionNames.Prefix.Length..]);
        try
        {
            using SafeFileHandle? file = names.TryOpen(fileName);
            return file is null ? null : Describe(entry, file, seconds);
        }
        catch (UnauthorizedAccessException)
        {
            return names.SizeOf(fileName) is { } size
                ? entry with { FileBytes = size, IsOwn = false, Problem = "this user may not open it" }
                : null;
        }
        catch (IOException e)
        {
            return entry with { Problem = $"the system cannot open it as a file: {e.Message}" };
        }
    }

    private RegionEntry Describe(RegionEntry entry, SafeFileHandle file, double seconds)
    {
        FileStatus? status = FileStatus.Of(file);
        entry = entry with
        {
            User = status?.Owner,
            IsOwn = status is null || status.Value.Owner == FileStatus.CurrentUser,
            FileBytes = LengthOf(file),
        };
        if (RegionFile.Examine(file, out RegionHeader header) is { } wrong)
        {
            return entry with { Problem = wrong };
        }

        RegionReading region = new(file, header, _processes);
        entry = entry with { Id = header.Id, Creator = region.Creator(), IsPersistent = header.IsPersistent };
        if (!Enum.IsDefined(header.Kind))
        {
            return entry with { Problem = $"it is {RegionFile.Describe(header.Kind)}" };
        }

        entry = entry with { Kind = header.Kind };
        if (ContentsProbe.Of(header.Kind) is not { } probe)
        {
            return entry;
        }

        try
        {
            RegionContents contents = probe.Read(region);
            bool isSame = _before.TryGetValue(entry.Name, out RegionEntry? before) && before.Id == entry.Id;
            RegionRate? rate = isSame && before!.Contents is { } earlier && contents.WritePosition >= earlier.WritePosition && seconds > 0
                ? probe.RateOf(earlier, contents, seconds, region)
                : null;
            return entry with { Contents = contents, Rate = rate };
        }
        catch (InvalidDataException e)
        {
            return entry with { Problem = e.Message };
        }
    }

    private static long LengthOf(SafeFileHandle file)
    {
        try
        {
            return RandomAccess.GetLength(file);
        }
        catch (NotSupportedException)
        {
            // A pipe, which is told as no region.
            return 0;
        }
    }
}
