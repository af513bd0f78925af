using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>
/// Removes one of two returns. Where each is needed on some path, the first sets the variable to null and the second checks it.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(DoubleReturnCodeFix))]
public sealed class DoubleReturnCodeFix : BufferCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public DoubleReturnCodeFix()
        : base(RuleIds.DoubleReturn)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression?.Parent is not ExpressionStatementSyntax second
            || request.Other?.Parent is not ExpressionStatementSyntax first
            || first == second
            || Bodies.MethodOf(first) != Bodies.MethodOf(second)
            || request.SiteExpression is not InvocationExpressionSyntax { ArgumentList.Arguments: [{ Expression: var argument }, ..] }
            || argument is not IdentifierNameSyntax name
            || request.SymbolOf(name) is not { } buffer)
        {
            return [];
        }

        if (IsBefore(first, second))
        {
            return Remove(second, "Remove the second return", request);
        }

        if (TryAround(first, second) is not { } tried || buffer is not ILocalSymbol local)
        {
            return [];
        }

        bool isRentedAgain = Variables.WritesOf(local, tried.Block, request).Any(write => write.SpanStart > first.SpanStart);
        return second.FirstAncestorOrSelf<FinallyClauseSyntax>() is not null
            && !isRentedAgain
            && Bodies.StatementOf(first) is { List.Count: > 1 }
            ? Remove(first, "Leave the return to the finally block", request)
            : TakeOut(local, name, first, second, tried, request);
    }

    /// <summary>
    /// Returns whether the first return always precedes the second: it is in a list of statements that contains the second further down.
    /// </summary>
    private static bool IsBefore(StatementSyntax first, StatementSyntax second) =>
        Bodies.StatementOf(first) is { } place
        && Bodies.PlaceIn(place.List, second) > place.List.IndexOf(first)
        && Bodies.StatementOf(second) is not null;

    private static IEnumerable<ProposedFix> Remove(StatementSyntax statement, string title, FixRequest request)
    {
        SyntaxEditor editor = request.Edit();
        editor.RemoveNode(
            statement,
            HasComment(statement) ? SyntaxRemoveOptions.KeepLeadingTrivia : SyntaxRemoveOptions.KeepUnbalancedDirectives);
        yield return new ProposedFix(title, editor.GetChangedRoot());
    }

    private static bool HasComment(SyntaxNode node) =>
        node.GetLeadingTrivia()
            .Any(static trivia => !trivia.IsKind(SyntaxKind.WhitespaceTrivia) && !trivia.IsKind(SyntaxKind.EndOfLineTrivia));

    /// <summary>Returns the try statement that has the first return in its block and the second in a catch or the finally.</summary>
    private static TryStatementSyntax? TryAround(StatementSyntax first, StatementSyntax second) =>
        first.Ancestors().OfType<TryStatementSyntax>().FirstOrDefault(tried =>
            tried.Block.Span.Contains(first.Span) && !tried.Block.Span.Contains(second.Span) && tried.Span.Contains(second.Span));

    /// <summary>Sets the variable to null from the first return until the next rent, and makes the second return check it.</summary>
    private static IEnumerable<ProposedFix> TakeOut(
        ILocalSymbol buffer,
        IdentifierNameSyntax name,
        ExpressionStatementSyntax first,
        ExpressionStatementSyntax second,
        TryStatementSyntax tried,
        FixRequest request)
    {
        SyntaxNode method = Bodies.MethodOf(second);
        if (Bodies.StatementOf(first) is not { } place
            || Variables.IsCaptured(buffer, method, request)
            || !IsUnreadAfter(buffer, place, first, second, tried, request))
        {
            yield break;
        }

        string value = IsDeclaredNotNull(buffer, request) ? "null!" : "null";
        SyntaxEditor editor = request.Edit();
        editor.InsertAfter(first, NewCode.Statement($"{buffer.Name} = {value};"));
        if (GuardOf(second, buffer, request) is null)
        {
            editor.ReplaceNode(
                second,
                SyntaxFactory.IfStatement(SyntaxFactory.ParseExpression($"{name} is not null"), SyntaxFactory.Block(second.WithoutTrivia()))
                    .WithLeadingTrivia(second.GetLeadingTrivia())
                    .WithTrailingTrivia(second.GetTrailingTrivia())
                    .WithAdditionalAnnotations(Formatter.Annotation));
        }

        yield return new ProposedFix($"Set '{buffer.Name}' to null after its first return", editor.GetChangedRoot());
    }

    /// <summary>
    /// Returns whether nothing reads the variable while it would be null: before the next rent, and in exception handlers.
    /// </summary>
    private static bool IsUnreadAfter(
        ILocalSymbol buffer,
        (StatementSyntax Statement, SyntaxList<StatementSyntax> List) place,
        StatementSyntax first,
        ExpressionStatementSyntax second,
        TryStatementSyntax tried,
        FixRequest request)
    {
        foreach (StatementSyntax statement in place.List.Skip(place.List.IndexOf(first) + 1))
        {
            if (statement is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment }
                && assignment.Left is IdentifierNameSyntax target
                && SymbolEqualityComparer.Default.Equals(request.SymbolOf(target), buffer))
            {
                return !Variables.IsNamedIn(buffer, assignment.Right, request) && IsUnreadInHandlers();
            }

            if (Variables.IsNamedIn(buffer, statement, request))
            {
                return false;
            }
        }

        // Without another rent, nothing may read it after the return at all.
        return place.Statement.Parent == tried.Block && IsUnreadInHandlers()
            && Variables.NamesOf(buffer, Bodies.MethodOf(first), request).All(name => name.SpanStart < tried.Span.End);

        bool IsUnreadInHandlers() => Variables.NamesOf(buffer, tried, request)
            .Where(name => name.SpanStart > tried.Block.Span.End)
            .All(name => second.Span.Contains(name.Span) || GuardOf(second, buffer, request)?.Condition.Span.Contains(name.Span) == true);
    }

    /// <summary>Returns the if statement that executes a return only if the variable is not null.</summary>
    private static IfStatementSyntax? GuardOf(StatementSyntax statement, ISymbol buffer, FixRequest request) =>
        statement.Ancestors().OfType<IfStatementSyntax>().FirstOrDefault(candidate =>
            candidate.Statement.Span.Contains(statement.Span)
            && candidate.Condition switch
            {
                BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression } compared
                    when compared.Right.IsKind(SyntaxKind.NullLiteralExpression) =>
                    SymbolEqualityComparer.Default.Equals(request.SymbolOf(compared.Left), buffer),
                IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax { Pattern: ConstantPatternSyntax constant } } matched
                    when constant.Expression.IsKind(SyntaxKind.NullLiteralExpression) =>
                    SymbolEqualityComparer.Default.Equals(request.SymbolOf(matched.Expression), buffer),
                _ => false,
            });

    /// <summary>Returns whether the compiler would warn about assigning null.</summary>
    private static bool IsDeclaredNotNull(ILocalSymbol buffer, FixRequest request) =>
        buffer.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(request.Cancellation).Parent
            is VariableDeclarationSyntax { Type: { IsVar: false } and not NullableTypeSyntax }
        && request.Model.GetNullableContext(request.Site.SpanStart).HasFlag(NullableContext.WarningsEnabled);
}
