using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tarn.Analyzers.Field;

/// <summary>
/// Compiles projects of a tree against the framework that this program runs on, with the projects they refer to as compilations of their
/// own, and with the packages they refer to if those are restored. Errors are tolerated.
/// </summary>
internal sealed class Compiled(SourceTree tree, RestoredPackages? packages)
{
    private static readonly string[] s_symbols =
        [
            "TRACE", "NET", "NETCOREAPP", "NET10_0", "netcoreapp",
            .. Enumerable.Range(5, 6).Select(static version => $"NET{version}_0_OR_GREATER"),
            .. ((string[])["1_0", "2_0", "2_1", "3_0", "3_1"]).Select(static version => $"NETCOREAPP{version}_OR_GREATER"),
        ];

    private static readonly CSharpParseOptions s_parsing = new(LanguageVersion.Preview, preprocessorSymbols: s_symbols);

    private static readonly Lazy<IReadOnlyDictionary<string, MetadataReference>> s_framework = new(ReadFramework);

    private readonly Dictionary<string, CSharpCompilation> _done = [];

    internal static SyntaxTree Parse(string file) => CSharpSyntaxTree.ParseText(File.ReadAllText(file), s_parsing, file);

    /// <summary>Compiles a project once.</summary>
    internal CSharpCompilation Get(ProjectFile project)
    {
        if (_done.TryGetValue(project.Path, out CSharpCompilation? ready))
        {
            return ready;
        }

        // Projects that refer to each other see nothing of each other.
        _done[project.Path] = CSharpCompilation.Create("cycle");
        IReadOnlyList<ProjectFile> others = ReferredBy(project);
        List<MetadataReference> references = [.. others.Select(other => (MetadataReference)Get(other).ToMetadataReference())];
        string name = project.AssemblyName;
        if (name != "System.Private.CoreLib")
        {
            references.AddRange(s_framework.Value.Where(one => one.Key != name).Select(static one => one.Value));
        }

        references.AddRange(PackagesOf([project, .. others]).Select(static path => MetadataReference.CreateFromFile(path)));
        bool isNullable = project.GetProperty("Nullable") is "enable" or "annotations" or "warnings";
        return _done[project.Path] = CSharpCompilation.Create(
            name,
            project.GetSources().Select(Parse).Append(CSharpSyntaxTree.ParseText(AddedSource(project), s_parsing, "added.g.cs")),
            references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                allowUnsafe: true,
                nullableContextOptions: isNullable ? NullableContextOptions.Enable : NullableContextOptions.Disable));
    }

    /// <summary>The projects that a project refers to, and those that they refer to, as in a build.</summary>
    private List<ProjectFile> ReferredBy(ProjectFile project)
    {
        HashSet<string> known = [project.Path];
        List<ProjectFile> others = [];
        Queue<ProjectFile> open = new([project]);
        while (open.TryDequeue(out ProjectFile? next))
        {
            foreach (string path in next.References.Where(known.Add))
            {
                ProjectFile other = tree.Open(path);
                others.Add(other);
                open.Enqueue(other);
            }
        }

        return others;
    }

    /// <summary>The assemblies of the projects' packages, without those that the framework or a project stands for.</summary>
    private IEnumerable<string> PackagesOf(IReadOnlyList<ProjectFile> projects)
    {
        Dictionary<string, string> wanted = new(StringComparer.OrdinalIgnoreCase);
        foreach ((string id, string version) in packages is null ? [] : projects.SelectMany(static one => one.Packages))
        {
            wanted.TryAdd(id, version);
        }

        HashSet<string> present = [.. s_framework.Value.Keys, .. projects.Select(static one => one.AssemblyName)];
        return packages?.GetAssemblies(wanted).Where(path => !present.Contains(Path.GetFileNameWithoutExtension(path))) ?? [];
    }

    /// <summary>What a build adds: imports for all files, and internals visible to all projects of the tree.</summary>
    private string AddedSource(ProjectFile project) =>
        string.Concat(project.GlobalUsings.Select(static one => $"global using {one};\n"))
        + string.Concat(
            from other in tree.Projects
            let name = Path.GetFileNameWithoutExtension(other.Path)
            select $"[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"{name}\")]\n");

    private static Dictionary<string, MetadataReference> ReadFramework() =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => !path.StartsWith(AppContext.BaseDirectory, StringComparison.Ordinal))
            .DistinctBy(static path => Path.GetFileNameWithoutExtension(path))
            .ToDictionary(
                static path => Path.GetFileNameWithoutExtension(path),
                static path => (MetadataReference)MetadataReference.CreateFromFile(path));
}
