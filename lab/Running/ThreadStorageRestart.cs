using System.Collections;
using System.Runtime.InteropServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Running;

/// <summary>
/// Gives a process the room for thread-local data that allocators such as jemalloc require from glibc. glibc reserves it when a process
/// starts, by default too little for one that is loaded later; only an environment variable that is read before the first instruction
/// changes that. So the lab replaces its own process image once, with <c>execve</c>. Id, console, signals and exit code stay the same,
/// which a second process could only imitate, and all peers can take turns in one process, which children could not.
/// </summary>
internal static partial class ThreadStorageRestart
{
    private const string Variable = "GLIBC_TUNABLES";
    private const string Tunable = "glibc.rtld.optional_static_tls";
    private const string Bytes = "16384";
    private const string OwnImage = "/proc/self/exe";
    private const string OwnArguments = "/proc/self/cmdline";

    /// <summary>
    /// Does not return if the process restarts. If it need not or cannot restart, the measurement continues with the libraries that can be
    /// loaded.
    /// </summary>
    public static void DoIfNeeded()
    {
        if (OperatingSystem.IsLinux()
            && Extend(Environment.GetEnvironmentVariable(Variable)) is { } tunables
            && NativePeers.All.Any(static peer => peer.LacksThreadStorage()))
        {
            Restart(tunables);
        }
    }

    /// <summary>The variable's new value; null when the room was already chosen, by the user or by the restart.</summary>
    internal static string? Extend(string? tunables) => tunables switch
    {
        null or "" => $"{Tunable}={Bytes}",
        _ when tunables.Contains(Tunable, StringComparison.Ordinal) => null,
        _ => $"{tunables}:{Tunable}={Bytes}",
    };

    private static void Restart(string tunables)
    {
        if (File.ResolveLinkTarget(OwnImage, returnFinalTarget: true) is not { } image)
        {
            return;
        }

        string?[] arguments = [.. File.ReadAllText(OwnArguments).TrimEnd('\0').Split('\0'), null];
        string?[] environment =
        [
            .. Environment.GetEnvironmentVariables().Cast<DictionaryEntry>()
                .Where(entry => (string)entry.Key != Variable)
                .Select(entry => $"{entry.Key}={entry.Value}"),
            $"{Variable}={tunables}",
            null,
        ];
        // A runtime that ends removes its diagnostics socket; one that is replaced cannot, and the next one finds the name taken.
        foreach (string socket in Directory.EnumerateFiles(Path.GetTempPath(), $"dotnet-diagnostic-{Environment.ProcessId}-*-socket"))
        {
            try
            {
                File.Delete(socket);
            }
            catch (UnauthorizedAccessException)
            {
                // Another user's, of an earlier process with this id.
            }
        }

        // It returns only when it failed.
        _ = Execute(image.FullName, arguments, environment);
    }

    [LibraryImport("libc", EntryPoint = "execve", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Execute(string path, string?[] arguments, string?[] environment);
}
