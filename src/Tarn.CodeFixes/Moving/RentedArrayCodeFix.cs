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
/// statement around the body. The variable keeps its name, and becomes a span: the rule reports only arrays whose uses all allow it.
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
        Names names = Names.Of(rented);

        int first = block.Statements.IndexOf(rented);
        int last = block.Statements.IndexOf(tried);
        IEnumerable<StatementSyntax> between =
            block.Statements.Skip(first + 1).Take(last - first - 1).Select(statement => AsSpan(statement, names.Array));
        IEnumerable<StatementSyntax> body =
            FinallyBlocks.Without(tried, given, keepsBlock: way == 1).Select(statement => AsSpan(statement, names.Array));
        StatementSyntax variable = NewCode.StatementWithNames($"System.Span<{names.Element}> {names.Array} = {names.Lease}.Span;");
        IEnumerable<StatementSyntax> changed = last == block.Statements.Count - 1
            ? [LeaseUntilEnd(names).WithLeadingTrivia(rented.GetLeadingTrivia()), variable.WithTrailingTrivia(rented.GetTrailingTrivia()),
                .. between, .. body]
            : [LeaseFor(names, [variable, .. body]).WithLeadingTrivia(rented.GetLeadingTrivia())];
        return root.ReplaceNode(
            block,
            block.WithStatements(SyntaxFactory.List(
                block.Statements.Take(first).Concat(changed).Concat(block.Statements.Skip(last + 1)))));
    }

    private static StatementSyntax LeaseUntilEnd(Names names) =>
        NewCode.StatementWithNames($"using var {names.Lease} = Tarn.BufferPool<{names.Element}>.Shared.Lease({names.Length});");

    private static UsingStatementSyntax LeaseFor(Names names, IEnumerable<StatementSyntax> body)
    {
        UsingStatementSyntax scope = (UsingStatementSyntax)NewCode.StatementWithNames(
            $"using (var {names.Lease} = Tarn.BufferPool<{names.Element}>.Shared.Lease({names.Length})) {{ }}");
        return scope.WithStatement(SyntaxFactory.Block(body).WithAdditionalAnnotations(Formatter.Annotation));
    }

    /// <summary>
    /// Replaces <c>array.AsSpan(start, length)</c> with <c>array.Slice(start, length)</c>, and the arguments <c>array, start, count</c>
    /// with <c>array.Slice(start, count)</c>.
    /// </summary>
    private static StatementSyntax AsSpan(StatementSyntax statement, string array) => statement.ReplaceNodes(
        statement.DescendantNodes().Where(node => IsPartOf(node, array) || RangeIn(node, array) >= 0),
        (_, node) => node is MemberAccessExpressionSyntax access
            ? access.WithName(SyntaxFactory.IdentifierName("Slice").WithTriviaFrom(access.Name))
            : WithSlice((ArgumentListSyntax)node, array));

    private static bool IsPartOf(SyntaxNode node, string array) =>
        node is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "AsSpan", Expression: IdentifierNameSyntax name }
        && name.Identifier.ValueText == array;

    /// <summary>Returns where a list of arguments has the array, its start and its count; -1 if it has not.</summary>
    private static int RangeIn(SyntaxNode node, string array) => node is ArgumentListSyntax list
        ? list.Arguments.IndexOf(one => one.Expression is IdentifierNameSyntax name && name.Identifier.ValueText == array)
        : -1;

    private static ArgumentListSyntax WithSlice(ArgumentListSyntax list, string array)
    {
        int first = RangeIn(list, array);
        ExpressionSyntax start = list.Arguments[first + 1].Expression.WithoutTrivia();
        ExpressionSyntax count = list.Arguments[first + 2].Expression.WithoutTrivia();
        bool isWhole = start.ToString() == "0" && count.ToString() == $"{array}.Length";
        ArgumentSyntax part = SyntaxFactory.Argument(SyntaxFactory.ParseExpression(isWhole ? array : $"{array}.Slice({start}, {count})"));
        SeparatedSyntaxList<ArgumentSyntax> arguments =
            list.Arguments.Replace(list.Arguments[first], part).RemoveAt(first + 2).RemoveAt(first + 1);
        return list.WithArguments(arguments);
    }

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
