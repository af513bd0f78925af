using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.CodeFixes.Reading;

/// <summary>Finds the length that a rent requested, if repeating the expression yields the same value.</summary>
internal static class RentedLength
{
    /// <summary>Returns the length of the rent that the diagnostic names; null if it is not simple, or may have changed since.</summary>
    internal static ExpressionSyntax? Find(FixRequest request)
    {
        InvocationExpressionSyntax? rent = request.Other?.FirstAncestorOrSelf<InvocationExpressionSyntax>();
        ExpressionSyntax? length = rent?.ArgumentList.Arguments.FirstOrDefault()?.Expression;
        return length is not null
            && Bodies.MethodOf(length) is { } method
            && method == Bodies.MethodOf(request.Site)
            && IsSimple(length, method, request)
            ? length.WithoutTrivia()
            : null;
    }

    private static bool IsSimple(ExpressionSyntax length, SyntaxNode method, FixRequest request) => length switch
    {
        LiteralExpressionSyntax => true,
        ParenthesizedExpressionSyntax parenthesized => IsSimple(parenthesized.Expression, method, request),
        BinaryExpressionSyntax binary
            when binary.Kind() is SyntaxKind.AddExpression or SyntaxKind.SubtractExpression or SyntaxKind.MultiplyExpression =>
            IsSimple(binary.Left, method, request) && IsSimple(binary.Right, method, request),
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Length", Expression: IdentifierNameSyntax name } =>
            IsUnchanged(name, method, request),
        NameSyntax or MemberAccessExpressionSyntax when request.SymbolOf(length) is IFieldSymbol { IsConst: true } => true,
        IdentifierNameSyntax name => IsUnchanged(name, method, request),
        _ => false,
    };

    /// <summary>
    /// Returns whether a variable is written only before the rent, and not in a loop around it, whose next iteration would write it again.
    /// </summary>
    private static bool IsUnchanged(IdentifierNameSyntax name, SyntaxNode method, FixRequest request) =>
        request.SymbolOf(name) is (ILocalSymbol or IParameterSymbol) and { } variable
        && SymbolEqualityComparer.Default.Equals(variable.ContainingSymbol, request.Model.GetEnclosingSymbol(name.SpanStart))
        && variable is not (ILocalSymbol { RefKind: not RefKind.None } or IParameterSymbol { RefKind: not RefKind.None })
        && Variables.WritesOf(variable, method, request).All(write =>
            write.SpanStart < name.SpanStart
            && Bodies.MethodOf(write) == method
            && !write.Ancestors().Any(ancestor => IsLoop(ancestor) && ancestor.Span.Contains(name.Span)));

    private static bool IsLoop(SyntaxNode node) =>
        node is WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax;
}
