using System.ComponentModel;
using System.Diagnostics;

namespace Tarn.Torture.Children;

/// <summary>Processes with process ids of their own, as a container runtime starts them. Their shared memory is the system's.</summary>
internal static class IdNamespace
{
    /// <summary>Runs before a program; see <see cref="ChildProgram.Start"/>. Killing what it starts kills the program.</summary>
    internal const string Limits = "exec unshare -rpf --mount-proc --kill-child \"$0\" \"$@\"";

    private static readonly Lazy<bool> s_isOffered = new(Try);

    /// <summary>Whether the system lets this process start such processes.</summary>
    internal static bool IsOffered => s_isOffered.Value;

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
