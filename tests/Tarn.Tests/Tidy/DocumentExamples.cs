using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Tests.Tidy;

/// <summary>The C# examples of a document, compiled against the library as it was built.</summary>
internal static partial class DocumentExamples
{
    private static readonly CSharpParseOptions s_options = new(LanguageVersion.Preview);

    /// <summary>The errors of all examples of a page, each with its example. Later examples see what earlier ones import.</summary>
    /// <param name="page">The page, as a path from the root of the repository.</param>
    /// <param name="usings">Global usings beside those of every project.</param>
    /// <param name="references">References beside the framework and the library.</param>
    internal static IEnumerable<string> CompilePage(string page, string usings = "", params IEnumerable<MetadataReference> references)
    {
        string[] examples = [.. CodeBlocks.Extract(File.ReadAllText(Repository.At(page)))];
        IEnumerable<string> imported = examples.SelectMany(static example => ImportPattern().Matches(example))
            .Select(static import => import.Value).Distinct();
        string all = usings + string.Concat(imported.Select(static import => $" global {import}"));
        return from example in examples from error in Compile(example, all, references) select $"{error} in\n{example}";
    }

    /// <summary>
    /// The errors of one example. It is read as statements of an asynchronous method, or as a file when it declares a type or namespace.
    /// </summary>
    /// <param name="example">The example.</param>
    /// <param name="usings">Global usings beside those of every project.</param>
    /// <param name="references">References beside the framework and the library.</param>
    internal static IReadOnlyList<string> Compile(string example, string usings = "", params IEnumerable<MetadataReference> references)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(IsFile(example) ? example : AsMethod(example), s_options, "example.cs");
        CSharpCompilation compilation = CSharpCompilation.Create(
            "example",
            [tree, CSharpSyntaxTree.ParseText(RunningFramework.ImplicitUsings + " global using Tarn;" + usings, s_options)],
            [.. RunningFramework.References, MetadataReference.CreateFromFile(typeof(BufferPool<>).Assembly.Location), .. references],
            new CSharpCompilationOptions(
                HasStatementsAtTop(tree) ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary,
                allowUnsafe: true,
                nullableContextOptions: NullableContextOptions.Enable));
        return
        [
            .. compilation.Emit(Stream.Null).Diagnostics
                .Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)
                .Select(diagnostic => diagnostic.ToString()),
        ];
    }

    private static bool IsFile(string example) =>
        CSharpSyntaxTree.ParseText(example, s_options).GetRoot().ChildNodes()
            .Any(node => node is BaseNamespaceDeclarationSyntax or BaseTypeDeclarationSyntax or DelegateDeclarationSyntax);

    private static bool HasStatementsAtTop(SyntaxTree tree) => tree.GetRoot().ChildNodes().Any(node => node is GlobalStatementSyntax);

    private static string AsMethod(string example)
    {
        string[] lines = example.Split('\n');
        IEnumerable<string> usings = lines.Where(line => UsingPattern().IsMatch(line));
        IEnumerable<string> statements = lines.Where(line => !UsingPattern().IsMatch(line));
        return string.Join('\n', usings)
            + "\nclass Example { async Task RunAsync() {\nawait Task.Yield();\n" + string.Join('\n', statements) + "\n} }";
    }

    [GeneratedRegex(@"^using Tarn\.[\w.]+;", RegexOptions.Multiline)]
    private static partial Regex ImportPattern();

    [GeneratedRegex(@"^using (static )?[\w.]+;\s*$")]
    private static partial Regex UsingPattern();
}
