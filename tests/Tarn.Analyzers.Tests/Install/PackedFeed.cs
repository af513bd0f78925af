using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The packages, made from what was built with these tests, in a folder that serves as a package source.</summary>
public sealed class PackedFeed : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("tarn-install");

    /// <summary>Packs what is built already: builds of the same sources may be under way beside these tests.</summary>
    public PackedFeed()
    {
        foreach (string project in (string[])["src/Tarn.Analyzers", "src/Tarn"])
        {
            DotnetRun run = DotnetRun.Start(
                Sources.Root,
                "pack", project, "--no-build", "--configuration", Sources.Configuration, "--output",
                Path.Combine(_folder.FullName, "feed"));
            Assert.True(run.ExitCode == 0, run.Output);
        }
    }

    /// <summary>A fresh project that can restore from this source and from nowhere else.</summary>
    internal InstalledProject CreateProject(string package)
    {
        DirectoryInfo folder = _folder.CreateSubdirectory(Guid.NewGuid().ToString("N"));
        return new InstalledProject(folder.FullName, package, Path.Combine(_folder.FullName, "feed"));
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
