using System.Globalization;

namespace Tarn.Torture.Children;

/// <summary>A control group of Linux with a limit of memory, of either version, where this process may make one.</summary>
internal sealed class ControlGroup : IDisposable
{
    private readonly string _directory;

    private ControlGroup(string directory) => _directory = directory;

    /// <summary>The shell command by which a process enters the group.</summary>
    internal string JoinCommand => $"echo $$ > {_directory}/cgroup.procs";

    /// <summary>Null, and the reason, where none can be made.</summary>
    internal static ControlGroup? TryCreate(long limit, out string? reason)
    {
        (string root, string file) = File.Exists("/sys/fs/cgroup/cgroup.controllers")
            ? ("/sys/fs/cgroup", "memory.max")
            : ("/sys/fs/cgroup/memory", "memory.limit_in_bytes");
        if (!Directory.Exists(root))
        {
            reason = $"there is no {root}";
            return null;
        }

        string directory = Path.Combine(root, $"tarn-torture-{Environment.ProcessId}");
        try
        {
            Directory.CreateDirectory(directory);
            File.WriteAllText(Path.Combine(directory, file), limit.ToString(CultureInfo.InvariantCulture));
            reason = null;
            return new ControlGroup(directory);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            TryRemove(directory);
            reason = e.Message;
            return null;
        }
    }

    public void Dispose() => TryRemove(_directory);

    /// <summary>The files in it are the kernel's, and go with it.</summary>
    private static void TryRemove(string directory)
    {
        try
        {
            Directory.Delete(directory);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A process that ended may be in it for a moment more; an empty group costs nothing.
        }
    }
}
