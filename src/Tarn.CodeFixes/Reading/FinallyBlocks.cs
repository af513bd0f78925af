using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;

namespace Tarn.CodeFixes.Reading;

/// <summary>Takes statements out of finally blocks.</summary>
internal static class FinallyBlocks
{
    /// <summary>Returns a try statement without a statement of its finally block, or only its body if nothing else needs it.</summary>
    /// <param name="tried">The try statement, which has a finally block.</param>
    /// <param name="given">The statement to take out of the finally block.</param>
    /// <param name="keepsBlock">Whether the body stays a block: its names may clash with those around it.</param>
    internal static List<StatementSyntax> Without(TryStatementSyntax tried, ExpressionStatementSyntax given, bool keepsBlock)
    {
        BlockSyntax rest = tried.Finally!.Block.RemoveNode(given, SyntaxRemoveOptions.KeepNoTrivia)!;
        if (rest.Statements.Count > 0)
        {
            return [tried.WithFinally(tried.Finally.WithBlock(rest))];
        }

        if (tried.Catches.Count > 0)
        {
            return [tried.WithFinally(null).WithTrailingTrivia(tried.GetTrailingTrivia())];
        }

        SyntaxTriviaList end = tried.Block.CloseBraceToken.LeadingTrivia;
        if (keepsBlock || tried.Block.Statements.Count == 0)
        {
            return [tried.Block.WithLeadingTrivia(tried.GetLeadingTrivia()).WithAdditionalAnnotations(Formatter.Annotation)];
        }

        List<StatementSyntax> body =
            [.. tried.Block.Statements.Select(static statement => statement.WithAdditionalAnnotations(Formatter.Annotation))];
        body[0] = body[0].WithLeadingTrivia(tried.GetLeadingTrivia().AddRange(body[0].GetLeadingTrivia()));
        if (end.Any(static trivia => !trivia.IsKind(SyntaxKind.WhitespaceTrivia) && !trivia.IsKind(SyntaxKind.EndOfLineTrivia)))
        {
            body[body.Count - 1] = body[body.Count - 1].WithTrailingTrivia(body[body.Count - 1].GetTrailingTrivia().AddRange(end));
        }

        return body;
    }
}
