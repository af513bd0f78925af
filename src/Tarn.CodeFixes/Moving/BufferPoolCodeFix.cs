using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Simplification;

namespace Tarn.CodeFixes.Moving;

/// <summary>Puts Tarn's shared pool in the place of the base library's.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(BufferPoolCodeFix))]
public sealed class BufferPoolCodeFix : MovingCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public BufferPoolCodeFix()
        : base("TARN103", "Use BufferPool.Shared")
    {
    }

    private protected override int Ways => 1;

    private protected override IReadOnlyList<SyntaxNode> FindNodes(SyntaxNode root, Diagnostic diagnostic) =>
        root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true)
            .FirstAncestorOrSelf<MemberAccessExpressionSyntax>() is { Name.Identifier.ValueText: "Shared" } access
            ? [access.Expression]
            : [];

    private protected override SyntaxNode Change(SyntaxNode root, IReadOnlyList<SyntaxNode> nodes, Diagnostic diagnostic, int way)
    {
        ExpressionSyntax pool = (ExpressionSyntax)nodes[0];
        GenericNameSyntax name = pool as GenericNameSyntax ?? pool switch
        {
            MemberAccessExpressionSyntax access => (GenericNameSyntax)access.Name,
            QualifiedNameSyntax qualified => (GenericNameSyntax)qualified.Right,
            _ => (GenericNameSyntax)((AliasQualifiedNameSyntax)pool).Name,
        };
        ExpressionSyntax changed = SyntaxFactory.MemberAccessExpression(
                SyntaxKind.SimpleMemberAccessExpression,
                SyntaxFactory.IdentifierName("Tarn"),
                SyntaxFactory.GenericName(SyntaxFactory.Identifier("BufferPool"), name.TypeArgumentList.WithoutTrivia()))
            .WithTriviaFrom(pool)
            .WithAdditionalAnnotations(Simplifier.Annotation, Simplifier.AddImportsAnnotation);
        return root.ReplaceNode(pool, changed);
    }
}
