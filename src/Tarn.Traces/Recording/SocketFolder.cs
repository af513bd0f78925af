using System.Runtime.Versioning;
using System.Text;

namespace Tarn.Traces;

/// <summary>
/// A folder for a socket that the runtime takes the address of from a variable. There a comma and a semicolon separate, spaces end an
/// address, and not all systems read other than ASCII characters as they were written. A socket's path has some hundred bytes at most.
/// </summary>
internal static class SocketFolder
{
    /// <summary>The longest path of a socket in bytes, on all systems: macOS has 104 with the terminating zero, Linux 108.</summary>
    private const int LongestPath = 103;

    private const string Plain = "/._-+@%~";
    private const string Prefix = "tarn-";
    private const int Digits = 16;

    [UnsupportedOSPlatformGuard("windows")]
    private static bool HasModes => Path.DirectorySeparatorChar == '/';

    /// <summary>Where folders for temporary files usually are, the user's own first.</summary>
    private static IEnumerable<string?> Candidates =>
    [
        Path.GetTempPath(), Environment.GetEnvironmentVariable("XDG_RUNTIME_DIR"), "/tmp", "/var/tmp", "/dev/shm",
        Environment.GetFolderPath(Environment.SpecialFolder.UserProfile),
    ];

    /// <summary>Makes a folder that only this user may enter.</summary>
    /// <param name="name">The name that the socket will have in it.</param>
    /// <exception cref="RecordingException">No folder is fit for a socket.</exception>
    internal static string Create(string name)
    {
        foreach (string candidate in Candidates.OfType<string>().Where(one => one.Length > 0))
        {
            string folder = Path.Combine(candidate, Prefix + Guid.NewGuid().ToString("N")[..Digits]);
            if (IsFit(Path.Combine(folder, name)) && Directory.Exists(candidate) && TryCreate(folder))
            {
                return folder;
            }
        }

        throw new RecordingException(
            "No folder is fit for the socket that the program connects to: set TMPDIR to one that exists, that you may write to, and whose "
            + $"path has fewer than {LongestPath - 30} characters, none of them a space, a comma or a semicolon.");
    }

    /// <summary>Whether a folder has a name that <see cref="Create"/> gives, which no folder of others has by chance.</summary>
    internal static bool IsOwn(string folder) => Path.GetFileName(folder) is var name
        && name.Length == Prefix.Length + Digits && name.StartsWith(Prefix, StringComparison.Ordinal)
        && name.Skip(Prefix.Length).All(char.IsAsciiHexDigitLower);

    /// <summary>Whether the runtime takes a path as the address of a port.</summary>
    internal static bool IsFit(string path) =>
        Encoding.UTF8.GetByteCount(path) <= LongestPath && path.All(one => char.IsAsciiLetterOrDigit(one) || Plain.Contains(one));

    private static bool TryCreate(string folder)
    {
        try
        {
            _ = HasModes
                ? Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute)
                : Directory.CreateDirectory(folder);
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
