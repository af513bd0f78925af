namespace Tarn.Sanitizing.Platform;

/// <summary>All that differs between operating systems.</summary>
internal static class HostSystem
{
    /// <summary>The name of the program that starts applications.</summary>
    public static string Muxer => OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";

    /// <summary>What a process that begins again is known by. On Windows it does so in a child process, whose id is another.</summary>
    public static string ProcessMark => OperatingSystem.IsWindows() ? "" : FormattableString.Invariant($"{Environment.ProcessId}");

    /// <summary>The command line as the system has it, with what the host of .NET took out.</summary>
    public static string CommandLine => OperatingSystem.IsWindows() ? WindowsReentry.CommandLineText : UnixReentry.CommandLine;

    /// <summary>Windows lets only some users create links.</summary>
    public static bool MayRefuseLinks => OperatingSystem.IsWindows();

    /// <summary>Windows renames no folder in which a file is open.</summary>
    public static bool KeepsOpenFolders => OperatingSystem.IsWindows();

    /// <summary>Where .NET is installed if nothing says otherwise.</summary>
    public static string DefaultInstallation => OperatingSystem.IsWindows()
        ? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.ProgramFiles), "dotnet")
        : OperatingSystem.IsMacOS() ? "/usr/local/share/dotnet" : "/usr/share/dotnet";

    /// <summary>Where programs keep what they can make again, for this user; null where the user has no such folder.</summary>
    public static string? CacheFolder => OperatingSystem.IsWindows() ? Under("LOCALAPPDATA", "")
        : OperatingSystem.IsMacOS() ? Under("HOME", "Library/Caches")
        : Under("XDG_CACHE_HOME", "") ?? Under("HOME", ".cache");

    /// <summary>Creates a folder that only this user can read.</summary>
    public static void CreatePrivateFolder(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            _ = Directory.CreateDirectory(path);
        }
        else
        {
            _ = Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    /// <summary>Sets a variable for this process and for those that it starts, by whatever means; null removes it.</summary>
    public static void SetVariable(string name, string? value)
    {
        if (!OperatingSystem.IsWindows())
        {
            UnixReentry.SetVariable(name, value);
        }

        Environment.SetEnvironmentVariable(name, value);
    }

    /// <summary>Whether a file may be executed: not on a file system that forbids it, where a program would begin and then fail.</summary>
    public static bool CanExecute(string path) => OperatingSystem.IsWindows() || UnixReentry.CanExecute(path);

    /// <summary>Lets another program take over. Returns only if that is not possible, with the reason.</summary>
    public static string BeginAgain(string executable)
    {
        if (OperatingSystem.IsWindows())
        {
            WindowsReentry.Begin(executable);
            return "no process was started";
        }

        return UnixReentry.Begin(executable);
    }

    /// <summary>Sends a signal to another process, which Windows cannot.</summary>
    public static void Send(int process, int signal)
    {
        if (!OperatingSystem.IsWindows())
        {
            _ = UnixReentry.Send(process, signal);
        }
    }

    private static string? Under(string variable, string folder) =>
        Environment.GetEnvironmentVariable(variable) is { } root && Path.IsPathFullyQualified(root) ? Path.Combine(root, folder) : null;
}
