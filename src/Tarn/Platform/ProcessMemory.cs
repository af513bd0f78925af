using System.Globalization;

namespace Tarn;

/// <summary>The memory that the operating system lets this process have.</summary>
/// <remarks>
/// The garbage collector's own limit is less: three quarters of a container, or what a setting says about the collector's heap alone.
/// </remarks>
internal static class ProcessMemory
{
    /// <summary>
    /// Physical memory and swap, of the machine or of the control groups that the process is in, in bytes. <see cref="long.MaxValue"/>
    /// where it is not known: Windows refuses by itself to commit what it cannot provide, and macOS makes swap files as it needs them.
    /// </summary>
    internal static long Limit { get; } = OperatingSystem.IsLinux() ? ReadLinux("/") : long.MaxValue;

    /// <summary>Reads the limit from the kernel's files below <paramref name="root"/>. What cannot be read limits nothing.</summary>
    internal static long ReadLinux(string root)
    {
        long memory = ReadMemoryInfo(root, "MemTotal:") ?? long.MaxValue;
        long swap = ReadMemoryInfo(root, "SwapTotal:") ?? 0;
        long limit = Add(memory, swap);
        foreach (string line in ReadLines(Path.Combine(root, "proc/self/cgroup")))
        {
            // The second version has one hierarchy, whose line names no controllers; the first one has a hierarchy for each.
            string[] parts = line.Split(':', 3);
            if (parts is [_, "", _])
            {
                limit = Math.Min(limit, LimitOfGroups(
                    Path.Combine(root, "sys/fs/cgroup"), parts[2],
                    group => Add(ReadNumber(group, "memory.max"), Math.Min(swap, ReadNumber(group, "memory.swap.max")))));
            }
            else if (parts is [_, _, _] && parts[1].Split(',').Contains("memory"))
            {
                limit = Math.Min(limit, LimitOfGroups(
                    Path.Combine(root, "sys/fs/cgroup/memory"), parts[2],
                    group => Math.Min(
                        Add(ReadNumber(group, "memory.limit_in_bytes"), swap), ReadNumber(group, "memory.memsw.limit_in_bytes"))));
            }
        }

        return limit;
    }

    /// <summary>
    /// The least limit of a group and the groups around it. A container sees its own group at the top, whatever its path is outside.
    /// </summary>
    private static long LimitOfGroups(string top, string path, Func<string, long> limitOf)
    {
        long limit = limitOf(top);
        string group = top;
        foreach (string name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            group = Path.Combine(group, name);
            limit = Math.Min(limit, limitOf(group));
        }

        return limit;
    }

    private static long? ReadMemoryInfo(string root, string name)
    {
        foreach (string line in ReadLines(Path.Combine(root, "proc/meminfo")))
        {
            if (line.StartsWith(name, StringComparison.Ordinal)
                && long.TryParse(line.AsSpan(name.Length).TrimEnd("kB"), NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite,
                    CultureInfo.InvariantCulture, out long kilobytes)
                && kilobytes <= long.MaxValue >> 10)
            {
                return kilobytes << 10;
            }
        }

        return null;
    }

    /// <summary>The number in a file of a group; without limit if there is none, as where the file says "max".</summary>
    private static long ReadNumber(string group, string file) =>
        ReadLines(Path.Combine(group, file)) is [{ } line, ..]
        && long.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            ? number
            : long.MaxValue;

    private static long Add(long memory, long swap) => memory > long.MaxValue - swap ? long.MaxValue : memory + swap;

    private static string[] ReadLines(string file)
    {
        try
        {
            return File.ReadAllLines(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
