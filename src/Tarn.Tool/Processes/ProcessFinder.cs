using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Pages;
using Tarn.Traces;

namespace Tarn.Tool.Processes;

/// <summary>Finds .NET processes, and why one cannot be attached to.</summary>
internal static class ProcessFinder
{
    private const int OldestRuntime = 8;
    private const string SocketPrefix = "dotnet-diagnostic-";

    private static readonly (string Module, string Pool)[] s_pools =
        [("Tarn.dll", "Tarn"), ("Microsoft.IO.RecyclableMemoryStream.dll", "RecyclableMemoryStream")];

    /// <summary>All processes with a diagnostics socket but this one.</summary>
    public static IReadOnlyList<DotnetProcess> List() =>
    [
        .. Published().Where(id => id != Environment.ProcessId).Order().Select(Describe)
            .OfType<DotnetProcess>(),
    ];

    /// <summary>The process with an id or a name.</summary>
    /// <exception cref="RecordingException">There is none, or several have the name; the message lists them.</exception>
    public static DotnetProcess Find(string target)
    {
        if (int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int id))
        {
            DotnetProcess? process = Describe(id);
            string? problem = Explain(id);
            return process is not null && problem is null
                ? process
                : throw new RecordingException(problem ?? $"There is no process {id}. tarn ps lists the .NET processes.");
        }

        DotnetProcess[] named = [.. List().Where(one => one.Name.Equals(target, StringComparison.OrdinalIgnoreCase))];
        return named.Length switch
        {
            1 => named[0],
            0 => throw new RecordingException($"No .NET process has the name {target}. tarn ps lists their names."),
            _ => throw new RecordingException(
                $"{named.Length} processes have the name {target}; name one by its id: {string.Join(", ", named.Select(one => one.Id))}."),
        };
    }

    /// <summary>Why a process cannot be attached to, and what to do; null if nothing is known that would prevent it.</summary>
    public static string? Explain(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            _ = process.HasExited;
        }
        catch (ArgumentException)
        {
            return $"There is no process {id}. tarn ps lists the .NET processes.";
        }
        catch (Win32Exception)
        {
            // It belongs to another user, which is found below.
        }

        ProcessFacts facts = ProcessFacts.Ask(id);
        if (facts == ProcessFacts.Unknown && !HasSocket(id))
        {
            return $"Process {id} has no diagnostics socket in {Path.GetTempPath()}. It is no .NET process, or it was started with "
                + "DOTNET_EnableDiagnostics=0, or its TMPDIR is another folder: set TMPDIR to that. For a process in a container, run tarn "
                + "as root or in the same container, or mount the container's /tmp.";
        }

        if (facts == ProcessFacts.Unknown)
        {
            return OwnerOf(id) is { } owner && owner != Environment.UserName
                ? $"Process {id} belongs to {owner}, and its diagnostics socket admits only {owner}: run tarn as that user "
                    + $"(sudo -u {owner})."
                : Path.DirectorySeparatorChar == '/'
                    ? $"Process {id} does not answer on its diagnostics socket. It may have ended, be stopped in a debugger, or wait for "
                        + "another diagnostics tool."
                    : null;
        }

        return MajorOf(facts.Runtime) is { } major && major < OldestRuntime
            ? $"Process {id} runs on {facts.Runtime}; pools are traced from .NET {OldestRuntime} on."
            : null;
    }

    /// <summary>
    /// The processes with a diagnostics socket. The client also looks into the folders that other processes have for temporary files, and
    /// fails if one of them hides its environment or ends meanwhile; then those with the usual folder are found.
    /// </summary>
    private static HashSet<int> Published()
    {
        try
        {
            return [.. DiagnosticsClient.GetPublishedProcesses()];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException && Path.DirectorySeparatorChar == '/')
        {
            return
            [
                .. Directory.EnumerateFiles(Path.GetTempPath(), $"{SocketPrefix}*-socket")
                    .Select(path => Path.GetFileName(path)[SocketPrefix.Length..].Split('-')[0])
                    .Select(text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
                    .Where(IsRunning),
            ];
        }
    }

    /// <summary>Whether a process that does not answer has a socket of its own. Another process may have its number meanwhile.</summary>
    private static bool HasSocket(int id) =>
        Path.DirectorySeparatorChar == '/' ? ProcessSockets.HasOwn(id) : Published().Contains(id);

    /// <summary>Sockets stay behind when a process is killed.</summary>
    private static bool IsRunning(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return id > 0;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private static DotnetProcess? Describe(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            ProcessFacts facts = ProcessFacts.Ask(id);
            bool isKnown = facts != ProcessFacts.Unknown;
            string name = ForeignText.Line(isKnown && facts.Program.Length > 0 ? facts.Program : process.ProcessName);
            return isKnown ? new DotnetProcess(id, name, ForeignText.Line(facts.Runtime), facts.Command, PoolsOf(process))
                : HasSocket(id) ? new DotnetProcess(id, name, "", "", [], Explain(id))
                : null;
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // It ended after its socket was found.
            return null;
        }
    }

    private static List<string> PoolsOf(Process process)
    {
        List<string> pools = ["ArrayPool"];
        try
        {
            HashSet<string> loaded = [.. process.Modules.Cast<ProcessModule>().Select(module => module.ModuleName)];
            pools.AddRange(s_pools.Where(one => loaded.Contains(one.Module)).Select(one => one.Pool));
        }
        catch (Exception exception) when (exception is Win32Exception or InvalidOperationException)
        {
            // Another user's modules cannot be listed.
        }

        return pools;
    }

    private static int? MajorOf(string runtime)
    {
        string number = runtime.Split(' ')[^1].Split('.')[0];
        return int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out int major) ? major : null;
    }

    /// <summary>The user that a process runs as; null if that cannot be told.</summary>
    private static string? OwnerOf(int id)
    {
        try
        {
            string? user = File.ReadLines($"/proc/{id}/status").FirstOrDefault(line => line.StartsWith("Uid:", StringComparison.Ordinal))
                ?.Split('\t', StringSplitOptions.RemoveEmptyEntries).ElementAtOrDefault(1);
            return user is null
                ? null
                : File.ReadLines("/etc/passwd").Select(line => line.Split(':'))
                    .FirstOrDefault(fields => fields.ElementAtOrDefault(2) == user)?[0] ?? user;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
