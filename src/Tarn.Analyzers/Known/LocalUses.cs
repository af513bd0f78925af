using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Known;

/// <summary>Determines how a method uses its local variables, as far as names show.</summary>
internal static class LocalUses
{
    /// <summary>Returns whether a local is assigned only results of calls named Rent, directly or through another variable.</summary>
    internal static bool IsAlwaysRented(ILocalSymbol local, SyntaxNode method) =>
        local.DeclaringSyntaxReferences.All(reference =>
            reference.GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: { } value } && IsRented(value, method))
        && method.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == local.Name)
            .All(name => IsRentedOrRead(name, method));

    private static bool IsRentedOrRead(IdentifierNameSyntax name, SyntaxNode method) => name.Parent switch
    {
        AssignmentExpressionSyntax assignment when assignment.Left == name =>
            assignment.IsKind(SyntaxKind.SimpleAssignmentExpression) && IsRented(assignment.Right, method),
        ArgumentSyntax argument => argument.RefKindKeyword.IsKind(SyntaxKind.None) && argument.Parent is not TupleExpressionSyntax,
        RefExpressionSyntax => false,
        _ => true,
    };

    private static bool IsRented(ExpressionSyntax value, SyntaxNode method) => value switch
    {
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Rent" } } => true,
        IdentifierNameSyntax other => method.DescendantNodes().OfType<VariableDeclaratorSyntax>()
            .Where(declarator => declarator.Identifier.ValueText == other.Identifier.ValueText)
            .Select(static declarator => declarator.Initializer?.Value as InvocationExpressionSyntax)
            .DefaultIfEmpty()
            .All(static call => call is { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Rent" } }),
        _ => false,
    };
}
