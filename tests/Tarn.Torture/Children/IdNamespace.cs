using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace Tarn.Torture.Children;

/// <summary>Processes with process ids of their own, as a container runtime starts them. Their shared memory is the system's.</summary>
internal static class IdNamespace
{
    /// <summary>Runs before a program; see <see cref="ChildProgram.Start"/>. Killing what it starts kills the program.</summary>
    internal const string Limits = "exec unshare -rpf --mount-proc --kill-child \"$0\" \"$@\"";

    private static readonly Lazy<bool> s_isOffered = new(Try);

    /// <summary>Whether the system lets this process start such processes.</summary>
    internal static bool IsOffered => s_isOffered.Value;

    /// <summary>The system's number of the program in a namespace that a process started, or of the process if it started none.</summary>
    internal static int ProgramOf(int process)
    {
        string children = OperatingSystem.IsLinux() ? File.ReadAllText($"/proc/{process}/task/{process}/children") : "";
        return int.TryParse(children.Split(' ')[0], CultureInfo.InvariantCulture, out int program) ? program : process;
    }

    private static bool Try()
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo("unshare", ["-rpf", "--mount-proc", "--kill-child", "true"])
            {
                RedirectStandardError = true,
            })!;
            process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
