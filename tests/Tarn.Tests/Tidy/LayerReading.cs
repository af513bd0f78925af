using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Tests.Tidy;

/// <summary>Which folder's code uses which folder's types, as the compiler understands it; documentation comments do not count.</summary>
internal static class LayerReading
{
    private static readonly CSharpParseOptions s_options = new(LanguageVersion.Preview);

    /// <summary>Reads the sources, given as path from the project's folder and text.</summary>
    /// <param name="sources">The sources.</param>
    /// <param name="usings">Global usings beside those of every project.</param>
    /// <param name="references">References beside the framework.</param>
    internal static List<LayerUse> Read(
        IEnumerable<(string Path, string Text)> sources, string usings = "", params IEnumerable<MetadataReference> references)
    {
        List<SyntaxTree> trees = [.. sources.Select(source => CSharpSyntaxTree.ParseText(source.Text, s_options, source.Path))];
        CSharpCompilation compilation = CSharpCompilation.Create(
            "layers",
            [.. trees, CSharpSyntaxTree.ParseText(RunningFramework.ImplicitUsings + usings, s_options, "usings.cs")],
            [.. RunningFramework.References, .. references],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));

        HashSet<LayerUse> uses = [];
        foreach (SyntaxTree tree in trees)
        {
            SemanticModel model = compilation.GetSemanticModel(tree);
            foreach (SyntaxNode node in tree.GetRoot().DescendantNodes())
            {
                foreach (INamedTypeSymbol type in TypesOf(node, model))
                {
                    foreach (SyntaxReference declared in type.OriginalDefinition.DeclaringSyntaxReferences)
                    {
                        uses.Add(new LayerUse(FolderOf(tree.FilePath), FolderOf(declared.SyntaxTree.FilePath), tree.FilePath, type.Name));
                    }
                }
            }
        }

        return [.. uses.Where(use => use.From != use.To).OrderBy(use => use.ToString(), StringComparer.Ordinal)];
    }

    /// <summary>Names say most; `new()` and `var` name nothing, so the types of expressions are asked for as well.</summary>
    private static IEnumerable<INamedTypeSymbol> TypesOf(SyntaxNode node, SemanticModel model)
    {
        ISymbol? symbol = node is SimpleNameSyntax or ImplicitObjectCreationExpressionSyntax ? model.GetSymbolInfo(node).Symbol : null;
        if ((symbol as INamedTypeSymbol ?? symbol?.ContainingType) is { } named)
        {
            yield return named;
        }

        if (node is ExpressionSyntax && model.GetTypeInfo(node).Type is INamedTypeSymbol type)
        {
            yield return type;
        }
    }

    private static string FolderOf(string path)
    {
        int slash = path.IndexOf('/', StringComparison.Ordinal);
        return slash < 0 ? "" : path[..slash];
    }
}
