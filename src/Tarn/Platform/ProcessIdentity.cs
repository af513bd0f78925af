using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A process, distinct from every other with the same id: its id and its start time.</summary>
/// <param name="Value">The id in the upper half, below 2³¹; of the start time, in the system's smallest unit, the lower half.</param>
/// <remarks>
/// Ids are given anew soon after a process ends. That a later process of the same id started at the same 32 bits of time does not happen:
/// on Linux these wrap after 497 days.
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
            lock (s_lock)
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
    /// Where this process's ids are valid: 0 where they are throughout the machine, else (Linux) the number of its id namespace. What is
    /// known by id of a process in another one is nothing.
    /// </summary>
    internal static uint Namespace { get; } = ReadNamespace();

    /// <summary>The system's id.</summary>
    internal int Id => (int)(Value >> 32);

    /// <summary>Whether the process runs; true also where the system does not let this process know.</summary>
    internal bool IsAlive => OperatingSystem.IsLinux() ? IsAliveByProc() : IsAliveByRuntime();

    private static ulong Combine(int id, long start) => ((ulong)(uint)id << 32) | (uint)start;

    private static ProcessIdentity ReadSelf()
    {
        int id = Environment.ProcessId;
        if (OperatingSystem.IsLinux())
        {
            // Without it this process would look like one that has died.
            return ReadStat(id) is { } fields
                ? new ProcessIdentity(Combine(id, StartOf(fields)))
                : throw new IOException($"Process {id} cannot read when it started, from /proc/{id}/stat.");
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
    /// What the process's stat file says after its name, which stands in parentheses and may hold anything: the state first. Null when
    /// there is no such process, or the system hides it.
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

    /// <summary>In ticks since the machine started.</summary>
    private static long StartOf(string[] fields) => long.Parse(fields[19], CultureInfo.InvariantCulture);

    private bool IsAliveByProc()
    {
        if (ReadStat(Id) is { } fields)
        {
            // A zombie has ended, and only waits for its parent to take note.
            return fields[0] is not ("Z" or "X") && Combine(Id, StartOf(fields)) == Value;
        }

        // Another user's processes may be hidden. The signal 0 is none, and asks whether one could be sent.
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
