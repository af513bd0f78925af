using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Puts what follows a rent in a try statement, whose finally block returns the array in place of all other returns.</summary>
/// <remarks>
/// Nothing is proposed where the array may leave the block: whoever got it would use it after the return. A value that a use of the array
/// produces cannot carry the array away if it is a number, a string, a Boolean value or an enumeration.
/// </remarks>
internal static class ReturnInFinally
{
    internal static IEnumerable<ProposedFix> Propose(
        InvocationExpressionSyntax rent, LocalDeclarationStatementSyntax statement, ILocalSymbol buffer, FixRequest request)
    {
        BlockSyntax block = (BlockSyntax)statement.Parent!;
        int first = block.Statements.IndexOf(statement) + 1;
        List<StatementSyntax> following = [.. block.Statements.Skip(first)];
        if (following.Count == 0
            || rent.Expression is not MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Rent", Expression: var pool }
            || !IsTheSameLater(pool, statement, request))
        {
            return [];
        }

        List<ExpressionStatementSyntax> given =
            [.. following.SelectMany(Bodies.NodesOf).OfType<ExpressionStatementSyntax>().Where(one => IsReturn(one, buffer, request))];
        string[] arguments = [.. given.Select(static one => ArgumentsOf(one).ToString()).Distinct()];
        IEnumerable<IdentifierNameSyntax> uses = following.SelectMany(one => Variables.NamesOf(buffer, one, request));
        if (arguments.Length > 1
            || given.Any(static one => Bodies.StatementOf(one) is null)
            || !uses.All(use => given.Any(one => one.Span.Contains(use.Span)) || StaysInBlock(use, request)))
        {
            return [];
        }

        List<StatementSyntax> body = [.. following.SelectMany(one => Without(given, one))];
        if (body.Count == 0)
        {
            return [];
        }

        body[0] = body[0].WithLeadingTrivia(body[0].GetLeadingTrivia().SkipWhile(static one => one.IsKind(SyntaxKind.EndOfLineTrivia)));
        StatementSyntax last = NewCode.Statement($"{pool.WithoutTrivia()}.Return({(arguments.Length == 0 ? buffer.Name : arguments[0])});");
        TryStatementSyntax tried = SyntaxFactory.TryStatement(
            SyntaxFactory.Block(body), catches: default, SyntaxFactory.FinallyClause(SyntaxFactory.Block(last)))
            .WithAdditionalAnnotations(Formatter.Annotation);
        BlockSyntax changed = block.WithStatements(SyntaxFactory.List(block.Statements.Take(first).Append(tried)));
        return [new ProposedFix("Return the buffer in a finally block", request.Root.ReplaceNode(block, changed))];
    }

    private static SeparatedSyntaxList<ArgumentSyntax> ArgumentsOf(ExpressionStatementSyntax given) =>
        ((InvocationExpressionSyntax)given.Expression).ArgumentList.Arguments;

    /// <summary>Returns whether a statement is a call that returns a buffer, and nothing else.</summary>
    internal static bool IsReturn(ExpressionStatementSyntax statement, ILocalSymbol buffer, FixRequest request) =>
        statement.Expression is InvocationExpressionSyntax { ArgumentList.Arguments: [{ Expression: IdentifierNameSyntax name }, ..] } call
        && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Return" }
        && SymbolEqualityComparer.Default.Equals(request.SymbolOf(name), buffer);

    /// <summary>Returns whether an expression names the same pool at the end of the block as at the rent.</summary>
    private static bool IsTheSameLater(ExpressionSyntax pool, StatementSyntax statement, FixRequest request) =>
        pool.DescendantNodesAndSelf().All(part => part switch
        {
            IdentifierNameSyntax name => request.SymbolOf(name) is not (ILocalSymbol or IParameterSymbol)
                || !Variables.WritesOf(request.SymbolOf(name)!, Bodies.MethodOf(statement), request).Any(),
            _ => part is MemberAccessExpressionSyntax or ThisExpressionSyntax or TypeSyntax or TypeArgumentListSyntax,
        });

    /// <summary>Returns whether neither the array nor a part of it is where code behind the block could use it.</summary>
    private static bool StaysInBlock(IdentifierNameSyntax use, FixRequest request)
    {
        SyntaxNode inner = use;
        foreach (SyntaxNode outer in use.Ancestors())
        {
            switch (outer)
            {
                // A task may go on after the block has ended, unless the block awaits it.
                case InvocationExpressionSyntax call when inner is ArgumentListSyntax && IsTask(call, request) && !IsAwaited(call):
                    return false;
                case ElementAccessExpressionSyntax or BinaryExpressionSyntax or IsPatternExpressionSyntax:
                case EqualsValueClauseSyntax { Parent.Parent.Parent: FixedStatementSyntax }:
                    return true;
                case ReturnStatementSyntax or YieldStatementSyntax:
                    return inner is not ExpressionSyntax kept || IsPlain(kept, request);
                case StatementSyntax:
                    return true;
                case AssignmentExpressionSyntax or EqualsValueClauseSyntax or ArrowExpressionClauseSyntax:
                    return inner is ExpressionSyntax value && (IsPlain(value, request) || IsSpanOfLocal(outer, value, request));
                case ArgumentSyntax or BaseArgumentListSyntax or InterpolationSyntax or InterpolatedStringExpressionSyntax:
                case InvocationExpressionSyntax or BaseObjectCreationExpressionSyntax or MemberAccessExpressionSyntax:
                case AwaitExpressionSyntax or ParenthesizedExpressionSyntax or CastExpressionSyntax or ConditionalExpressionSyntax:
                case PrefixUnaryExpressionSyntax or PostfixUnaryExpressionSyntax or ConditionalAccessExpressionSyntax:
                    break;
                default:
                    return false;
            }

            inner = outer;
        }

        return false;
    }

    /// <summary>Returns whether a local variable of the block keeps a span, which no field can keep.</summary>
    private static bool IsSpanOfLocal(SyntaxNode outer, ExpressionSyntax value, FixRequest request) =>
        outer is EqualsValueClauseSyntax
        && TypeOf(value, request) is INamedTypeSymbol { IsRefLikeType: true }
        && request.Model.GetEnclosingSymbol(value.SpanStart, request.Cancellation) is IMethodSymbol { ReturnType.IsRefLikeType: false };

    private static bool IsPlain(ExpressionSyntax value, FixRequest request) =>
        TypeOf(value, request) is { } type
        && (type.TypeKind == TypeKind.Enum || (type.SpecialType != SpecialType.None && type is { IsReferenceType: false })
            || type.SpecialType == SpecialType.System_String);

    private static ITypeSymbol? TypeOf(ExpressionSyntax value, FixRequest request) =>
        request.Model.GetTypeInfo(value, request.Cancellation).Type;

    private static bool IsTask(ExpressionSyntax call, FixRequest request) =>
        TypeOf(call, request) is { Name: "Task" or "ValueTask" or "IAsyncEnumerable" };

    private static bool IsAwaited(SyntaxNode call) => call.Parent switch
    {
        AwaitExpressionSyntax => true,
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "ConfigureAwait", Parent: InvocationExpressionSyntax configured } =>
            configured.Parent is AwaitExpressionSyntax,
        _ => false,
    };

    /// <summary>Returns what is left of a statement without the calls that return the buffer.</summary>
    private static List<StatementSyntax> Without(List<ExpressionStatementSyntax> given, StatementSyntax statement)
    {
        List<ExpressionStatementSyntax> inside = [.. given.Where(one => statement.Span.Contains(one.Span))];
        if (inside.Contains(statement))
        {
            return [];
        }

        return statement is TryStatementSyntax tried && inside is [var only] && only.Parent == tried.Finally?.Block
            ? FinallyBlocks.Without(tried, only, keepsBlock: false)
            : inside.Count == 0 ? [statement] : [statement.RemoveNodes(inside, SyntaxRemoveOptions.KeepUnbalancedDirectives)!];
    }
}
