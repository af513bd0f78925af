using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes.Moving;

/// <summary>Leases a buffer where an array was rented, and returned in a finally block.</summary>
/// <remarks>
/// The lease ends where the finally block was: with the block of the method if the try statement is its last statement, else with a using
/// statement around the body. The variable keeps its name. It becomes a span if the diagnostic says that all its uses allow it.
/// </remarks>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(RentedArrayCodeFix))]
public sealed class RentedArrayCodeFix : MovingCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public RentedArrayCodeFix()
        : base("TARN102", "Lease the buffer")
    {
    }

    /// <summary>
    /// Gets 2: the body of a try statement that is no longer needed becomes part of the block or, where its names would clash, stays a
    /// block.
    /// </summary>
    private protected override int Ways => 2;

    private protected override IReadOnlyList<SyntaxNode> FindNodes(SyntaxNode root, Diagnostic diagnostic) =>
        diagnostic.AdditionalLocations is [var location]
        && root.FindNode(diagnostic.Location.SourceSpan).FirstAncestorOrSelf<LocalDeclarationStatementSyntax>() is { } rented
        && root.FindNode(location.SourceSpan).FirstAncestorOrSelf<ExpressionStatementSyntax>() is { } given
            ? [rented, given]
            : [];

    private protected override SyntaxNode Change(SyntaxNode root, IReadOnlyList<SyntaxNode> nodes, Diagnostic diagnostic, int way)
    {
        LocalDeclarationStatementSyntax rented = (LocalDeclarationStatementSyntax)nodes[0];
        ExpressionStatementSyntax given = (ExpressionStatementSyntax)nodes[1];
        BlockSyntax block = (BlockSyntax)rented.Parent!;
        TryStatementSyntax tried = given.Ancestors().OfType<TryStatementSyntax>().First(one => one.Parent == block);
        bool isSpan = diagnostic.Properties.TryGetValue("form", out string? form) && form == "span";
        Names names = Names.Of(rented);

        int first = block.Statements.IndexOf(rented);
        int last = block.Statements.IndexOf(tried);
        IEnumerable<StatementSyntax> between = block.Statements.Skip(first + 1).Take(last - first - 1);
        IEnumerable<StatementSyntax> body = BodyOf(tried, given, way);
        StatementSyntax variable = NewCode.StatementWithNames(isSpan
            ? $"System.Span<{names.Element}> {names.Array} = {names.Lease}.Span;"
            : $"{names.Element}[] {names.Array} = {names.Lease}.Segment.Array!;");
        if (isSpan)
        {
            between = between.Select(statement => AsSpan(statement, names.Array));
            body = body.Select(statement => AsSpan(statement, names.Array));
        }

        IEnumerable<StatementSyntax> changed = last == block.Statements.Count - 1
            ? [LeaseUntilEnd(names).WithLeadingTrivia(rented.GetLeadingTrivia()), variable.WithTrailingTrivia(rented.GetTrailingTrivia()),
                .. between, .. body]
            : [LeaseFor(names, [variable, .. body]).WithLeadingTrivia(rented.GetLeadingTrivia())];
        return root.ReplaceNode(
            block,
            block.WithStatements(SyntaxFactory.List(
                block.Statements.Take(first).Concat(changed).Concat(block.Statements.Skip(last + 1)))));
    }

    /// <summary>Returns the try statement without the return, or only its body if nothing else needs the statement.</summary>
    private static List<StatementSyntax> BodyOf(TryStatementSyntax tried, ExpressionStatementSyntax given, int way)
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
        if (way == 1 || tried.Block.Statements.Count == 0)
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

    private static StatementSyntax LeaseUntilEnd(Names names) =>
        NewCode.StatementWithNames($"using var {names.Lease} = Tarn.BufferPool<{names.Element}>.Shared.Lease({names.Length});");

    private static UsingStatementSyntax LeaseFor(Names names, IEnumerable<StatementSyntax> body)
    {
        UsingStatementSyntax scope = (UsingStatementSyntax)NewCode.StatementWithNames(
            $"using (var {names.Lease} = Tarn.BufferPool<{names.Element}>.Shared.Lease({names.Length})) {{ }}");
        return scope.WithStatement(SyntaxFactory.Block(body).WithAdditionalAnnotations(Formatter.Annotation));
    }

    /// <summary>Replaces <c>array.AsSpan(start, length)</c> with <c>array.Slice(start, length)</c>.</summary>
    private static StatementSyntax AsSpan(StatementSyntax statement, string array) => statement.ReplaceNodes(
        statement.DescendantNodes().OfType<MemberAccessExpressionSyntax>().Where(access =>
            access is { Name.Identifier.ValueText: "AsSpan", Expression: IdentifierNameSyntax name }
            && name.Identifier.ValueText == array),
        static (_, access) => access.WithName(SyntaxFactory.IdentifierName("Slice").WithTriviaFrom(access.Name)));

    /// <summary>The names in the new code.</summary>
    private sealed record Names(string Array, string Lease, string Element, string Length)
    {
        internal static Names Of(LocalDeclarationStatementSyntax rented)
        {
            VariableDeclaratorSyntax declarator = rented.Declaration.Variables[0];
            InvocationExpressionSyntax rent = (InvocationExpressionSyntax)declarator.Initializer!.Value;
            TypeArgumentListSyntax arguments = rent.Expression.DescendantNodes().OfType<GenericNameSyntax>()
                .First(static name => name.Identifier.ValueText is "ArrayPool" or "BufferPool").TypeArgumentList;
            string array = declarator.Identifier.ValueText;
            return new Names(
                declarator.Identifier.Text,
                FreeName(array + "Lease", Bodies.MethodOf(rented)),
                arguments.Arguments[0].WithoutTrivia().ToString(),
                rent.ArgumentList.Arguments[0].Expression.WithoutTrivia().ToString());
        }

        private static string FreeName(string wish, SyntaxNode method)
        {
            HashSet<string> taken = [.. method.DescendantTokens().Where(static token => token.IsKind(SyntaxKind.IdentifierToken))
                .Select(static token => token.ValueText)];
            string name = wish;
            for (int i = 2; taken.Contains(name); i++)
            {
                name = wish + i;
            }

            return name;
        }
    }
}
