using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tarn.Analyzers.Field;

/// <summary>
/// Compiles projects of a tree against the framework that this program runs on, with the projects they refer to as compilations of their
/// own and without packages. Errors are tolerated.
/// </summary>
internal sealed class Compiled(SourceTree tree)
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
        List<MetadataReference> references =
            [.. project.References.Select(path => (MetadataReference)Get(tree.Open(path)).ToMetadataReference())];
        string name = project.AssemblyName;
        if (name != "System.Private.CoreLib")
        {
            references.AddRange(s_framework.Value.Where(one => one.Key != name).Select(static one => one.Value));
        }

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
