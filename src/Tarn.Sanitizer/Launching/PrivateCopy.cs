using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace Tarn.Sanitizing.Launching;

/// <summary>A finished copy of a framework's folder tree, or of an application that brings its own, with a grafted CoreLib.</summary>
/// <param name="Folder">What stands in for the root of the installation, or for the application's folder.</param>
/// <param name="Source">The original.</param>
/// <param name="Version">The framework's version.</param>
/// <param name="Hidden">The compiled methods of pools that the runtime compiles anew.</param>
/// <param name="Instances">All compiled instances of generic methods.</param>
/// <param name="Obstacle">Why CoreLib has no compiled code, so that processes start slower; null if it has.</param>
/// <param name="IsComposite">Whether no assembly's compiled code may be used.</param>
/// <param name="Files">What is no link, relative to the folder: without it, a process would begin again and not start.</param>
/// <remarks>
/// Who uses a copy has its description open. Whoever removes one locks that file first. Its age says when the copy was used last.
/// </remarks>
internal sealed record PrivateCopy(
    string Folder, string Source, string Version, int Hidden, int Instances, string? Obstacle, bool IsComposite, string[] Files)
{
    private const string FileName = "graft.txt";
    private const char Separator = '|';

    /// <summary>From the folder of CoreLib, at most this many folders up.</summary>
    private const int Deepest = 4;

    /// <summary>The age of the description is only set where it tells something new.</summary>
    private static readonly TimeSpan s_precision = TimeSpan.FromMinutes(10);

    /// <summary>Reads a copy's description.</summary>
    /// <exception cref="IOException">It lacks, or somebody removes the copy.</exception>
    public static PrivateCopy Read(string folder)
    {
        Dictionary<string, string> values = File.ReadAllLines(Path.Combine(folder, FileName))
            .Select(line => line.Split('=', 2))
            .ToDictionary(parts => parts[0], parts => parts[^1], StringComparer.Ordinal);
        return new PrivateCopy(
            folder,
            values["source"],
            values["version"],
            int.Parse(values["hidden"], CultureInfo.InvariantCulture),
            int.Parse(values["instances"], CultureInfo.InvariantCulture),
            values["obstacle"] is { Length: > 0 } obstacle ? obstacle : null,
            bool.Parse(values["composite"]),
            values["files"].Split(Separator));
    }

    /// <summary>Whether a folder has a description of a copy.</summary>
    public static bool Exists(string folder) => File.Exists(Path.Combine(folder, FileName));

    /// <summary>The original of a copy, whichever version of the sanitizer made it; empty if nobody says.</summary>
    public static string SourceOf(string folder)
    {
        try
        {
            return File.ReadLines(Path.Combine(folder, FileName))
                .FirstOrDefault(static line => line.StartsWith("source=", StringComparison.Ordinal), "");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    /// <summary>Notes that this process runs on the copy that it was loaded from, for as long as it lives.</summary>
    /// <returns>What is to stay open; null if this process runs on no copy.</returns>
    /// <exception cref="IOException">The copy is locked.</exception>
    public static SafeFileHandle? HoldOwn()
    {
        string? folder = Path.GetDirectoryName(typeof(object).Assembly.Location);
        for (int up = 0; up < Deepest && folder is { Length: > 0 }; up++)
        {
            if (Exists(folder))
            {
                return File.OpenHandle(Path.Combine(folder, FileName), FileMode.Open, FileAccess.Read, FileShare.Read);
            }

            folder = Path.GetDirectoryName(folder);
        }

        return null;
    }

    /// <summary>Locks a copy against use.</summary>
    /// <exception cref="IOException">A process uses it.</exception>
    public static FileStream Lock(string folder) =>
        new(Path.Combine(folder, FileName), FileMode.Open, FileAccess.Read, FileShare.None, bufferSize: 1);

    /// <summary>When a copy was used last.</summary>
    public static DateTime UsedAt(string folder) => File.GetLastWriteTimeUtc(Path.Combine(folder, FileName));

    /// <summary>Whether nothing lacks that is no link.</summary>
    public bool IsWhole => Array.TrueForAll(Files, file => File.Exists(Path.Combine(Folder, file)));

    /// <summary>Notes that a process is about to use it.</summary>
    public void NoteUse()
    {
        try
        {
            if (DateTime.UtcNow - UsedAt(Folder) > s_precision)
            {
                File.SetLastWriteTimeUtc(Path.Combine(Folder, FileName), DateTime.UtcNow);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Nobody can remove it either.
        }
    }

    public void Write() => File.WriteAllLines(
        Path.Combine(Folder, FileName),
        [
            $"source={Source}",
            $"version={Version}",
            FormattableString.Invariant($"hidden={Hidden}"),
            FormattableString.Invariant($"instances={Instances}"),
            $"obstacle={Obstacle}",
            $"composite={IsComposite}",
            $"files={string.Join(Separator, Files)}",
        ]);
}
