using System.Diagnostics;

namespace Tarn.Tool.Tests.Recording;

/// <summary>The child process with planted faults, as it was built beside these tests.</summary>
internal static class Child
{
    private const string Project = "Tarn.TestChild";

    /// <summary>How to start it.</summary>
    public static ProcessStartInfo Start(params string[] arguments) => StartScenario("planted faults", arguments);

    /// <summary>How to start another scenario of its assembly.</summary>
    public static ProcessStartInfo StartScenario(string scenario, params string[] arguments) =>
        new("dotnet", [Assembly, scenario, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardInput = true,
        };

    /// <summary>The assembly to start.</summary>
    public static string Assembly { get; } = Path.Combine(
        Root, "tests", Project, "bin", Configuration, Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)),
        $"{Project}.dll");

    /// <summary>The repository.</summary>
    public static string Root => FindRoot();

    private static string Configuration =>
        AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}Release{Path.DirectorySeparatorChar}", StringComparison.Ordinal)
            ? "Release"
            : "Debug";

    /// <summary>The line of a source of it that ends with a mark.</summary>
    public static int LineOf(string mark, string file = "PlantedFaults.cs") =>
        1 + Array.FindIndex(
            File.ReadAllLines(Path.Combine(Root, "tests", Project, file)),
            line => line.EndsWith($"// {mark}", StringComparison.Ordinal));

    private static string FindRoot()
    {
        for (string? folder = AppContext.BaseDirectory; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, "Tarn.slnx")))
            {
                return folder;
            }
        }

        throw new InvalidOperationException("The tests do not run inside the repository.");
    }
}
