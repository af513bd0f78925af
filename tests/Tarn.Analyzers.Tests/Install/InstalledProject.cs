namespace Tarn.Analyzers.Tests.Install;

/// <summary>
/// A project as someone starts one: a package reference and a Program.cs. Its packages folder is its own, its only source a folder.
/// </summary>
internal sealed class InstalledProject
{
    private readonly string _folder;

    internal InstalledProject(string folder, string[] packages, string feed)
    {
        _folder = folder;
        string references = string.Concat(packages.Select(static package => $"<PackageReference Include=\"{package}\" Version=\"*-*\" />"));
        Write(
            "Fresh.csproj",
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <UseAppHost>false</UseAppHost>
              </PropertyGroup>
              <ItemGroup>
                {references}
              </ItemGroup>
            </Project>
            """);
        Write(
            "NuGet.Config",
            $"""
            <configuration>
              <packageSources>
                <clear />
                <add key="packed" value="{feed}" />
              </packageSources>
              <fallbackPackageFolders>
                <clear />
              </fallbackPackageFolders>
            </configuration>
            """);

        // Files above the folder do not belong to this project.
        Write("Directory.Build.props", "<Project />");
        Write("Directory.Build.targets", "<Project />");
        Write("Directory.Packages.props", "<Project />");
        Write(".editorconfig", "root = true\n");
    }

    internal void Write(string file, byte[] bytes) => File.WriteAllBytes(PathOf(file), bytes);

    internal void Write(string file, string text) => File.WriteAllText(PathOf(file), text);

    internal void WriteOptions(string options) => Write(".editorconfig", $"root = true\n[*.cs]\n{options}\n");

    internal string PathOf(string file) => Path.Combine(_folder, file);

    internal DotnetRun Build(params string[] settings) => Start(["build", "-nologo", "-clp:NoSummary", .. settings]);

    /// <summary>Applies the fixes of some rules to the whole project.</summary>
    internal DotnetRun Fix(params string[] rules) =>
        Start(["format", "analyzers", "Fresh.csproj", "--verbosity", "normal", "--diagnostics", .. rules]);

    /// <summary>Runs the built program in the project's folder.</summary>
    internal DotnetRun Run() => Start(Path.Combine("bin", "Debug", "net10.0", "Fresh.dll"));

    /// <summary>Its packages are installed in a folder of its own, empty at first, whatever the machine's settings say.</summary>
    private DotnetRun Start(params string[] arguments) => DotnetRun.Start(_folder, Path.Combine(_folder, "packages"), arguments);
}
