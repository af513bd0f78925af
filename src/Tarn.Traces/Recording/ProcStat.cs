using System.Globalization;

namespace Tarn.Traces;

/// <summary>What the kernel of Linux tells of a process to everybody.</summary>
/// <param name="Id">The process id.</param>
/// <param name="Parent">Its parent.</param>
/// <param name="Start">When it started, in ticks since the system did. An id may be used again.</param>
/// <param name="HasBegun">Whether it runs a program of its own, rather than being a copy of its parent.</param>
/// <param name="HasEnded">Whether only its exit code is left.</param>
internal sealed record ProcStat(int Id, int Parent, ulong Start, bool HasBegun, bool HasEnded)
{
    /// <summary>A copy that has not begun a program: <c>PF_FORKNOEXEC</c>.</summary>
    private const uint NotBegun = 0x40;

    /// <summary>The ids of all processes of the system; none where it is not Linux.</summary>
    internal static IEnumerable<int> List() => Directory.Exists("/proc")
        ? Directory.EnumerateDirectories("/proc")
            .Select(folder => int.TryParse(Path.GetFileName(folder.AsSpan()), CultureInfo.InvariantCulture, out int id) ? id : 0)
            .Where(id => id > 0)
        : [];

    /// <summary>Null if there is no such process, or if the system does not tell.</summary>
    internal static ProcStat? Read(int id)
    {
        if (TryRead(id, "stat", File.ReadAllText) is not { } text)
        {
            return null;
        }

        // The name is before the last bracket, and may hold anything.
        string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return fields is [[var state, ..], var parent, _, _, _, _, var flags, _, _, _, _, _, _, _, _, _, _, _, _, var start, ..]
            ? new ProcStat(
                id,
                int.Parse(parent, CultureInfo.InvariantCulture),
                ulong.Parse(start, CultureInfo.InvariantCulture),
                (uint.Parse(flags, CultureInfo.InvariantCulture) & NotBegun) == 0,
                state is 'Z' or 'X')
            : null;
    }

    /// <summary>The variables that a process began with; null if the system hides them.</summary>
    internal static byte[]? Environment(int id) => TryRead(id, "environ", File.ReadAllBytes);

    /// <summary>The number of the user that a process runs as; empty if there is no such process.</summary>
    internal static string User(int id) => TryRead(id, "status", File.ReadAllText) is { } text
        ? text.Split('\n').FirstOrDefault(static line => line.StartsWith("Uid:", StringComparison.Ordinal))?.Split('\t')[1] ?? ""
        : "";

    /// <summary>The files and memory that a process has mapped; null if the system hides them.</summary>
    internal static string? Mappings(int id) => TryRead(id, "maps", File.ReadAllText);

    private static T? TryRead<T>(int id, string file, Func<string, T> read)
        where T : class
    {
        try
        {
            return read(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/{file}"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has ended, or belongs to another user.
            return null;
        }
    }
}
