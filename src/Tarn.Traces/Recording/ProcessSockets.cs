using System.Globalization;

namespace Tarn.Traces;

/// <summary>
/// Finds the diagnostics sockets of a process: in this process's folder for temporary files, and in the one of the process itself, as it
/// sees the files. So a process in a container is found, or one with another <c>TMPDIR</c>, where the kernel lets this user look.
/// </summary>
internal static class ProcessSockets
{
    /// <summary>Where the start of a process is, in ticks since the system's, among what follows the program's name.</summary>
    private const int StartAt = 20;

    /// <summary>The paths of the sockets; those of earlier processes with the same id may be among them.</summary>
    internal static IEnumerable<string> Of(int id) => FoldersOf(id).SelectMany(folder => In(folder.Path, folder.Id)).Distinct();

    /// <summary>
    /// Whether a process has a socket, and not only one that an earlier process with its id left when it was killed: the start of the
    /// process is in the name.
    /// </summary>
    internal static bool HasOwn(int id)
    {
        string stat = Read($"/proc/{id.ToString(CultureInfo.InvariantCulture)}/stat");

        // The name of the program is before the last parenthesis, and may have anything in it.
        string? start = stat[(stat.LastIndexOf(')') + 1)..].Split(' ').ElementAtOrDefault(StartAt);
        return Of(id).Any(path => start is null || path.EndsWith($"-{start}-socket", StringComparison.Ordinal));
    }

    private static IEnumerable<(string Path, int Id)> FoldersOf(int id)
    {
        yield return (Path.GetTempPath(), id);
        string files = $"/proc/{id.ToString(CultureInfo.InvariantCulture)}";
        string temporary = Read($"{files}/environ").Split('\0')
            .FirstOrDefault(one => one.StartsWith("TMPDIR=", StringComparison.Ordinal))?["TMPDIR=".Length..] is { Length: > 0 } set
            ? set
            : "/tmp";
        yield return ($"{files}/root/{temporary.Trim('/')}", InnermostId($"{files}/status") ?? id);
    }

    /// <summary>The id that a process has in its own container.</summary>
    private static int? InnermostId(string status)
    {
        string? last = Read(status).Split('\n').FirstOrDefault(line => line.StartsWith("NSpid:", StringComparison.Ordinal))
            ?.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries)[^1];
        return int.TryParse(last, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : null;
    }

    private static string[] In(string folder, int id)
    {
        try
        {
            return Directory.GetFiles(folder, $"dotnet-diagnostic-{id.ToString(CultureInfo.InvariantCulture)}-*-socket");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
