using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Tarn.Sanitizing.Platform;

/// <summary>Runs the program in a child process and ends with its exit code, since Windows cannot replace a process.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe class WindowsReentry
{
    private const int ExtendedLimits = 9;
    private const int LimitFlagsOffset = 16;
    private const uint KillOnClose = 0x2000;

    /// <summary>The size of JOBOBJECT_EXTENDED_LIMIT_INFORMATION.</summary>
    private static int LimitsSize => sizeof(nint) == 8 ? 144 : 112;

    /// <summary>The command line as the system has it.</summary>
    public static string CommandLineText => Marshal.PtrToStringUni(CommandLine())!;

    /// <summary>Does not return if the child process could be started.</summary>
    public static void Begin(string executable)
    {
        // Ctrl+C reaches both: what it does is the program's choice.
        Console.CancelKeyPress += (_, pressed) => pressed.Cancel = true;
        string line = CommandLineText;
        using Process child = Process.Start(new ProcessStartInfo(executable, line[ProgramLength(line)..]) { UseShellExecute = false })!;
        EndWithThis(child);
        child.WaitForExit();
        Environment.Exit(child.ExitCode);
    }

    /// <summary>The length of the first argument, by the rules of Windows: quotation marks have no escapes in it.</summary>
    internal static int ProgramLength(string line)
    {
        bool quoted = false;
        for (int i = 0; i < line.Length; i++)
        {
            if (line[i] == '"')
            {
                quoted = !quoted;
            }
            else if (line[i] is ' ' or '\t' && !quoted)
            {
                return i;
            }
        }

        return line.Length;
    }

    /// <summary>Whoever ends this process means the child. The job's handle closes with this process.</summary>
    private static void EndWithThis(Process child)
    {
        nint job = CreateJob(0, 0);
        byte* limits = stackalloc byte[LimitsSize];
        new Span<byte>(limits, LimitsSize).Clear();
        *(uint*)(limits + LimitFlagsOffset) = KillOnClose;
        _ = SetJob(job, ExtendedLimits, limits, (uint)LimitsSize);
        _ = AssignToJob(job, child.Handle);
    }

    [DllImport("kernel32", EntryPoint = "GetCommandLineW")]
    private static extern nint CommandLine();

    [DllImport("kernel32", EntryPoint = "CreateJobObjectW")]
    private static extern nint CreateJob(nint attributes, nint name);

    [DllImport("kernel32", EntryPoint = "SetInformationJobObject")]
    private static extern int SetJob(nint job, int kind, byte* information, uint size);

    [DllImport("kernel32", EntryPoint = "AssignProcessToJobObject")]
    private static extern int AssignToJob(nint job, nint process);
}
