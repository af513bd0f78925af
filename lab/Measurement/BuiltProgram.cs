namespace Tarn.Lab.Measurement;

/// <summary>A program of the lab that is built beside it and started as a process.</summary>
internal static class BuiltProgram
{
    /// <summary>Finds a program, built with the lab and in its configuration, from which the folder's name comes.</summary>
    /// <param name="project">The folder of its project below the lab.</param>
    /// <param name="assembly">The name of its assembly.</param>
    /// <exception cref="InvalidOperationException">The program is not built, or this process runs outside the repository.</exception>
    public static string Find(string project, string assembly)
    {
        string path = Path.Combine(FindRepository(), "lab", project, "bin", Configuration(), "net10.0", assembly);
        return File.Exists(path)
            ? path
            : throw new InvalidOperationException($"{path} is missing. Build it: dotnet build -c {Configuration()} lab/{project}");
    }

    /// <summary>Finds the root of the repository that this process was built in.</summary>
    /// <exception cref="InvalidOperationException">This process runs outside the repository.</exception>
    public static string FindRepository()
    {
        for (DirectoryInfo? directory = new(AppContext.BaseDirectory); directory is not null; directory = directory.Parent)
        {
            if (File.Exists(Path.Combine(directory.FullName, "Tarn.slnx")))
            {
                return directory.FullName;
            }
        }

        throw new InvalidOperationException(
            $"The lab finds its programs inside the repository only, and runs in {AppContext.BaseDirectory}.");
    }

    private static string Configuration() =>
        AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}Release", StringComparison.Ordinal) ? "Release" : "Debug";
}
