using System.Diagnostics;
using SharpFuzz;

namespace Tarn.Fuzz;

/// <summary>A copy of this program in which the library's assemblies note which branches they take.</summary>
internal sealed class Instrumented : IDisposable
{
    /// <summary>Set in a process that runs such a copy.</summary>
    private const string Variable = "TARN_FUZZ_INSTRUMENTED";

    private static readonly string[] s_assemblies = ["Tarn.dll", "Tarn.Traces.dll"];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("tarn-fuzz");

    /// <summary>This process runs such a copy.</summary>
    internal static bool IsThis => Environment.GetEnvironmentVariable(Variable) == "1";

    internal Instrumented()
    {
        foreach (string file in Directory.GetFiles(AppContext.BaseDirectory))
        {
            File.Copy(file, Path.Combine(_folder.FullName, Path.GetFileName(file)));
        }

        foreach (string assembly in s_assemblies)
        {
            string path = Path.Combine(_folder.FullName, assembly);
            int types = Fuzzer.Instrument(path, static _ => true, Options.Value).Count();
            if (types == 0)
            {
                throw new InvalidOperationException($"No type of {assembly} was instrumented, so that no branch would be seen.");
            }
        }
    }

    /// <summary>Runs it with the same arguments; its exit code.</summary>
    internal int Run(IEnumerable<string> arguments)
    {
        ProcessStartInfo start = new(
            Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet",
            [Path.Combine(_folder.FullName, "Tarn.Fuzz.dll"), .. arguments]);
        start.Environment[Variable] = "1";
        using Process process = Process.Start(start)!;
        process.WaitForExit();
        return process.ExitCode;
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
