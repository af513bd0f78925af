using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>A process, distinct from every other with the same id: its id and its start time.</summary>
/// <param name="Value">
/// The id, below 2³¹, in the upper half, and the lower half of the start time, in the system's smallest unit, in the lower half.
/// </param>
/// <remarks>
/// Systems reuse ids soon after a process ends. A later process with the same id never has the same 32 bits of start time: on Linux they
/// wrap after 497 days.
/// </remarks>
internal readonly partial record struct ProcessIdentity(ulong Value)
{
    /// <summary>EPERM.</summary>
    private const int NotPermitted = 1;

    private static readonly Lock s_lock = new();

    private static ProcessIdentity s_self;

    /// <summary>This process.</summary>
    /// <exception cref="IOException">The start time cannot be read now, because the process has too many files open.</exception>
    internal static ProcessIdentity Self
    {
        get
        {
            using (s_lock.Hold())
            {
                if (s_self.Value == 0)
                {
                    s_self = ReadSelf();
                }

                return s_self;
            }
        }
    }

    /// <summary>
    /// The namespace of this process's id: 0 if the id is valid on the whole machine, otherwise (on Linux) the number of its id namespace.
    /// An id in another namespace conveys nothing about a process.
    /// </summary>
    internal static uint Namespace => PretendedNamespace != 0 ? PretendedNamespace : s_namespace;

    /// <summary>Lets tests simulate a process of another namespace on this thread; 0 for none.</summary>
    [ThreadStatic]
    internal static uint PretendedNamespace;

    private static readonly uint s_namespace = ReadNamespace();

    /// <summary>The system's id.</summary>
    internal int Id => (int)(Value >> 32);

    /// <summary>Whether the process runs; also true if the system hides this from the current process.</summary>
    internal bool IsAlive => OperatingSystem.IsLinux() ? IsAliveByProc() : IsAliveByRuntime();

    private static ulong Combine(int id, long start) => ((ulong)(uint)id << 32) | (uint)start;

    private static ProcessIdentity ReadSelf()
    {
        int id = Environment.ProcessId;
        if (OperatingSystem.IsLinux())
        {
            // Without its start time, this process would look dead.
            return ReadStat(id) is { } fields
                ? new ProcessIdentity(Combine(id, StartOf(fields)))
                : throw new IOException($"Process {id} cannot read its start time from /proc/{id}/stat.");
        }

        using Process self = Process.GetCurrentProcess();
        return new ProcessIdentity(Combine(id, self.StartTime.ToUniversalTime().Ticks));
    }

    private static uint ReadNamespace()
    {
        if (!OperatingSystem.IsLinux())
        {
            return 0;
        }

        // A link to a text such as pid:[4026531836].
        string[] parts = new FileInfo("/proc/self/ns/pid").LinkTarget?.Split('[', ']') ?? [];
        return parts.Length > 1 && uint.TryParse(parts[1], CultureInfo.InvariantCulture, out uint number) ? number : 0;
    }

    /// <summary>
    /// Reads the fields of a process's stat file that follow its name, which is in parentheses and may contain anything. The first field is
    /// the state. Null when the process does not exist or the system hides it.
    /// </summary>
    private static string[]? ReadStat(int id)
    {
        try
        {
            string stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/stat"));
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The start time, in ticks since the machine started.</summary>
    private static long StartOf(string[] fields) => long.Parse(fields[19], CultureInfo.InvariantCulture);

    private bool IsAliveByProc()
    {
        if (ReadStat(Id) is { } fields)
        {
            // A zombie has ended and only waits for its parent to collect it.
            return fields[0] is not ("Z" or "X") && Combine(Id, StartOf(fields)) == Value;
        }

        // Other users' processes may be hidden. Signal 0 sends nothing and reports whether a signal could be sent.
        return Kill(Id, 0) == 0 || Marshal.GetLastPInvokeError() == NotPermitted;
    }

    private bool IsAliveByRuntime()
    {
        try
        {
            using Process process = Process.GetProcessById(Id);
            return Combine(Id, process.StartTime.ToUniversalTime().Ticks) == Value;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            return false;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return true;
        }
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int id, int signal);
}
