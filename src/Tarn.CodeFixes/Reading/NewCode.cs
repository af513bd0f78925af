using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace Tarn.CodeFixes.Reading;

/// <summary>
/// Parses the statements that a fix writes. The host formats them, imports the namespaces of fully qualified types, and shortens the names.
/// </summary>
internal static class NewCode
{
    /// <summary>Parses a statement on lines of its own.</summary>
    internal static StatementSyntax Statement(string text) => Statement(SyntaxFactory.ParseStatement(text));

    /// <summary>Puts a statement on lines of its own.</summary>
    internal static StatementSyntax Statement(StatementSyntax statement) => statement
        .WithLeadingTrivia(SyntaxFactory.ElasticMarker)
        .WithTrailingTrivia(SyntaxFactory.ElasticMarker)
        .WithAdditionalAnnotations(Formatter.Annotation);

    /// <summary>Parses a statement that contains fully qualified types.</summary>
    internal static StatementSyntax StatementWithNames(string text)
    {
        StatementSyntax statement = Statement(text);
        SyntaxNode[] names =
        [
            .. statement.DescendantNodes().Where(static node => node is QualifiedNameSyntax
                or MemberAccessExpressionSyntax { Name: GenericNameSyntax }
                or MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Interlocked" or "CryptographicOperations" }),
        ];
        return statement.ReplaceNodes(
            names,
            static (_, name) => name.WithAdditionalAnnotations(Simplifier.Annotation, Simplifier.AddImportsAnnotation));
    }
}
