using Tarn.Analyzers.Tests.Support;
using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>
/// A folder with the packages, which serves as a package source: packages from an earlier step, or packed from the build of these tests.
/// </summary>
public sealed class PackedFeed : IDisposable
{
    /// <summary>Names a folder of packages that are to be tested instead of those that the tests pack.</summary>
    private const string Variable = "TARN_PACKAGES";

    private static readonly string[] s_others =
        ["Tarn.SharedMemory", "Tarn.AspNetCore", "Tarn.SharedMemory.AspNetCore", "Tarn.Testing", "Tarn.Tool"];

    private readonly DirectoryInfo _work = Directory.CreateTempSubdirectory("tarn-install");

    /// <summary>Packs the existing build, because other builds of the same sources may run beside these tests.</summary>
    public PackedFeed()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } packed)
        {
            Folder = Path.GetFullPath(packed, Sources.Root);
            Assert.True(
                Directory.Exists(Folder),
                $"The variable {Variable} names the folder \"{packed}\", which does not exist. Pack into it first.");
            return;
        }

        Folder = Path.Combine(_work.FullName, "feed");
        foreach (string project in Packages.Select(static package => $"src/{package}").Concat(StressLength.IsLong ? ["templates"] : []))
        {
            DotnetRun run = Pack(project, Folder);
            Assert.True(run.ExitCode == 0, run.Output);
        }
    }

    /// <summary>The packages; without the long form those that the README's first example needs.</summary>
    internal static IEnumerable<string> Packages =>
        ["Tarn.Analyzers", "Tarn", .. StressLength.IsLong ? s_others : []];


    /// <summary>Where the packages are.</summary>
    internal string Folder { get; }

    /// <summary>A fresh folder, for packages that are made in another way.</summary>
    internal string CreateFolder() => _work.CreateSubdirectory(Guid.NewGuid().ToString("N")).FullName;

    /// <summary>Packs a project into a folder.</summary>
    internal static DotnetRun Pack(string project, string folder, params string[] settings) =>
        DotnetRun.Start(
            Sources.Root,
            packages: null,
            ["pack", project, "--no-build", "--configuration", Sources.Configuration, "--output", folder, .. settings]);

    /// <summary>A fresh project that can restore from this source and from nowhere else.</summary>
    internal InstalledProject CreateProject(params string[] packages) => new(CreateFolder(), packages, Folder);

    public void Dispose() => _work.Delete(recursive: true);
}
