using System.Diagnostics;

namespace Tarn.Torture.Children;

/// <summary>Starts programs that lie beside this one, each in a process of its own, under the same host.</summary>
internal static class ChildProgram
{
    /// <summary>
    /// A variable for programs that use up their address space: the runtime then compiles a method without mapping its code twice, for
    /// which there is no room.
    /// </summary>
    internal static readonly (string Name, string? Value) CompilesWithoutMappings = ("DOTNET_EnableWriteXorExecute", "0");

    /// <summary>
    /// A collector's heap of 48 MiB, which fills up quickly. The collector in a library of its own survives that; the built-in one does not
    /// always.
    /// </summary>
    internal static readonly (string Name, string? Value)[] FillsManagedHeap =
    [
        ("DOTNET_GCHeapHardLimit", "3000000"),
        ("DOTNET_GCName", "libclrgc.so"),
        ("DOTNET_gcConcurrent", "0"),
        ("DOTNET_TieredCompilation", "0"),
    ];

    /// <summary>Starts one. Both its outputs must be read.</summary>
    /// <param name="assembly">The name of its file.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="limits">A shell command that limits the resources of the process, such as <c>ulimit -v 100000</c>.</param>
    /// <param name="environment">Variables of its own; null removes one.</param>
    internal static Process Start(
        string assembly, IEnumerable<string> arguments, string? limits = null, params IEnumerable<(string Name, string? Value)> environment)
    {
        string library = Path.Combine(AppContext.BaseDirectory, assembly);
        string[] program = OwnHost(library) is { } own ? [own] : [HostPath, "exec", library];
        ProcessStartInfo start = new(limits is null ? program[0] : "bash")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        if (limits is not null)
        {
            start.ArgumentList.Add("-c");
            start.ArgumentList.Add($"{limits} && exec \"$0\" \"$@\"");
            start.ArgumentList.Add(program[0]);
        }

        foreach (string argument in program[1..].Concat(arguments))
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment.Remove(BufferChecksEnvironment.Variable);
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }

    /// <summary>Waits for the end of one, however badly it ends.</summary>
    /// <exception cref="TimeoutException">The process did not end and was killed. The message holds its output.</exception>
    internal static (int ExitCode, string Output, string Error) WaitForEnd(Process process, TimeSpan limit)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"The process did not end in {limit}, and was killed; it wrote: {output.Result}{error.Result}");
        }

        return (process.ExitCode, output.Result, error.Result);
    }

    internal static string[] Lines(string output) =>
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>The program's own host, if this program has its own, too: both were published with their runtime.</summary>
    private static string? OwnHost(string library)
    {
        string? mine = Environment.ProcessPath;
        string own = Path.ChangeExtension(library, OperatingSystem.IsWindows() ? ".exe" : null);
        bool isPublished = mine is not null && File.Exists(Path.ChangeExtension(mine, ".dll"))
            && Path.GetDirectoryName(mine) == Path.GetDirectoryName(library)
            && File.Exists(Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "hostfxr.dll" : "libhostfxr.so"));
        return isPublished && File.Exists(own) ? own : null;
    }

    /// <summary>This program runs under the same host.</summary>
    private static string HostPath =>
        Environment.GetEnvironmentVariable("DOTNET_HOST_PATH")
        ?? (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? Environment.ProcessPath! : "dotnet");
}
