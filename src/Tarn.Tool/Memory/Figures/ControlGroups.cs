using System.Globalization;

namespace Tarn.Tool.Memory.Figures;

/// <summary>
/// Finds the memory limit of a process: the least one of its control group and of all groups around it, of either version.
/// </summary>
/// <param name="root">Where the kernel's files are: <c>/</c>.</param>
internal sealed class ControlGroups(string root)
{
    /// <summary>A limit beyond this is none: version 1 has a number near the largest instead.</summary>
    private const long Unlimited = 1L << 60;

    private static readonly Version s_one = new(
        "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "memory.oom_control");

    private static readonly Version s_two = new("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "memory.events");

    /// <summary>The limit of a process; null if it has none.</summary>
    public MemoryLimit? Find(int process)
    {
        MemoryLimit? least = null;
        foreach ((Version version, string group) in GroupsOf(process))
        {
            // A container may see its own group as the root.
            for (string? at = group; at is not null; at = at == "/" ? null : Path.GetDirectoryName(at))
            {
                if (Read(version, at) is { } limit && (least is null || limit.Bytes < least.Bytes))
                {
                    least = limit;
                }
            }
        }

        return least;
    }

    /// <summary>The lines are such as <c>0::/a/b</c>, or <c>4:memory:/a/b</c> of version 1.</summary>
    private IEnumerable<(Version Version, string Group)> GroupsOf(int process)
    {
        foreach (string line in Lines(Path.Combine(root, "proc", process.ToString(CultureInfo.InvariantCulture), "cgroup")))
        {
            string[] fields = line.Split(':', 3);
            if (fields is ["0", "", var unified])
            {
                yield return (s_two, unified);
            }
            else if (fields is [_, var controllers, var group] && controllers.Split(',').Contains("memory"))
            {
                yield return (s_one, group);
            }
        }
    }

    private MemoryLimit? Read(Version version, string group)
    {
        string folder = Path.Combine(root, version.Folder, group.TrimStart('/'));
        if (Number(folder, version.Limit) is not { } limit || limit >= Unlimited || Number(folder, version.Used) is not { } used)
        {
            return null;
        }

        long cache = Field(folder, "memory.stat", version.Cache) ?? 0;
        return new MemoryLimit(limit, used, Math.Min(cache, used), group, Field(folder, version.Events, "oom_kill"));
    }

    /// <summary>The number that a file has alone; null if there is no file, or no number, such as <c>max</c>.</summary>
    private static long? Number(string folder, string file) =>
        long.TryParse(Lines(Path.Combine(folder, file)).FirstOrDefault(), NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            ? number
            : null;

    /// <summary>The number behind a name in a file of such lines.</summary>
    private static long? Field(string folder, string file, string name) => Lines(Path.Combine(folder, file))
        .Select(line => line.Split(' '))
        .Where(fields => fields.Length == 2 && fields[0] == name)
        .Select(fields => long.TryParse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : (long?)null)
        .FirstOrDefault();

    private static string[] Lines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private sealed record Version(string Folder, string Limit, string Used, string Cache, string Events);
}
