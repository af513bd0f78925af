using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace Tarn.CodeFixes.Moving;

/// <summary>Creates a pooled stream where a local <c>MemoryStream</c> was created.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(PooledStreamCodeFix))]
public sealed class PooledStreamCodeFix : MovingCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public PooledStreamCodeFix()
        : base("TARN101", "Use a PooledMemoryStream")
    {
    }

    /// <summary>
    /// Gets 2: a variable declared with <c>var</c> gets the new type or, where that makes a call ambiguous, the old one. The pooled stream
    /// is a buffer writer too, and some methods take either.
    /// </summary>
    private protected override int Ways => 2;

    private protected override IReadOnlyList<SyntaxNode> FindNodes(SyntaxNode root, Diagnostic diagnostic) =>
        root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true) is BaseObjectCreationExpressionSyntax creation
        && creation.Parent?.Parent?.Parent is VariableDeclarationSyntax declaration
            ? [creation, declaration.Type]
            : [];

    private protected override SyntaxNode Change(SyntaxNode root, IReadOnlyList<SyntaxNode> nodes, Diagnostic diagnostic, int way)
    {
        BaseObjectCreationExpressionSyntax creation = (BaseObjectCreationExpressionSyntax)nodes[0];
        TypeSyntax declared = (TypeSyntax)nodes[1];
        ObjectCreationExpressionSyntax pooled = SyntaxFactory.ObjectCreationExpression(Named("Tarn.PooledMemoryStream"))
            .WithNewKeyword(SyntaxFactory.Token(SyntaxKind.NewKeyword).WithTrailingTrivia(SyntaxFactory.Space))
            .WithArgumentList(creation.ArgumentList ?? SyntaxFactory.ArgumentList())
            .WithTriviaFrom(creation)
            .WithAdditionalAnnotations(Formatter.Annotation);
        IEnumerable<SyntaxNode> replaced = way == 1 && declared.IsVar ? [creation, declared] : [creation];
        return root.ReplaceNodes(
            replaced,
            (node, _) => node == creation ? pooled : Named("System.IO.MemoryStream").WithTriviaFrom(declared));
    }

    private static TypeSyntax Named(string type) =>
        SyntaxFactory.ParseTypeName(type).WithAdditionalAnnotations(Simplifier.Annotation, Simplifier.AddImportsAnnotation);
}
