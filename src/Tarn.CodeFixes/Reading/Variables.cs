using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.CodeFixes.Reading;

/// <summary>Finds where a method reads and writes a variable.</summary>
internal static class Variables
{
    /// <summary>Returns all places in a body that name a variable.</summary>
    internal static IEnumerable<IdentifierNameSyntax> NamesOf(ISymbol variable, SyntaxNode body, FixRequest request) =>
        body.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == variable.Name
                && SymbolEqualityComparer.Default.Equals(request.SymbolOf(name), variable));

    internal static bool IsNamedIn(ISymbol variable, SyntaxNode body, FixRequest request) => NamesOf(variable, body, request).Any();

    /// <summary>Returns whether a function inside the method uses the variable. When that function runs is unknown.</summary>
    internal static bool IsCaptured(ISymbol variable, SyntaxNode method, FixRequest request) =>
        NamesOf(variable, method, request).Any(name => Bodies.MethodOf(name) != method);

    /// <summary>Returns the places that write a variable, without its declaration.</summary>
    internal static IEnumerable<IdentifierNameSyntax> WritesOf(ISymbol variable, SyntaxNode body, FixRequest request) =>
        NamesOf(variable, body, request).Where(IsWritten);

    /// <summary>Returns whether a name is assigned, incremented, decremented, or passed so that the callee can write it.</summary>
    private static bool IsWritten(ExpressionSyntax name) => name.Parent switch
    {
        AssignmentExpressionSyntax assignment => assignment.Left == name,
        ArgumentSyntax { RefKindKeyword.RawKind: not (int)SyntaxKind.None } => true,
        ArgumentSyntax { Parent: TupleExpressionSyntax { Parent: AssignmentExpressionSyntax assignment } tuple } =>
            assignment.Left == tuple,
        PrefixUnaryExpressionSyntax prefix =>
            prefix.IsKind(SyntaxKind.PreIncrementExpression)
            || prefix.IsKind(SyntaxKind.PreDecrementExpression)
            || prefix.IsKind(SyntaxKind.AddressOfExpression),
        PostfixUnaryExpressionSyntax postfix => !postfix.IsKind(SyntaxKind.SuppressNullableWarningExpression),
        RefExpressionSyntax => true,
        ParenthesizedExpressionSyntax parenthesized => IsWritten(parenthesized),
        _ => false,
    };

    /// <summary>Returns a name that is not used yet at a place.</summary>
    internal static string NewName(string wish, SyntaxNode place, FixRequest request)
    {
        HashSet<string> taken = [.. request.Model.LookupSymbols(place.SpanStart).Select(static symbol => symbol.Name)];
        foreach (VariableDeclaratorSyntax declarator in Bodies.MethodOf(place).DescendantNodes().OfType<VariableDeclaratorSyntax>())
        {
            taken.Add(declarator.Identifier.ValueText);
        }

        string name = wish;
        for (int i = 2; taken.Contains(name); i++)
        {
            name = wish + i;
        }

        return name;
    }
}
