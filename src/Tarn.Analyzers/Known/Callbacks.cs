using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Known;

/// <summary>
/// Recognizes lambdas that only run while the call runs that receives them, so that what they capture is only borrowed, and those that
/// are expected to throw.
/// </summary>
internal static class Callbacks
{
    /// <summary>Returns whether a function goes to a method of the base library that is done with it when it returns.</summary>
    internal static bool RunWithinCall(SyntaxNode function, SemanticModel? model) =>
        function is AnonymousFunctionExpressionSyntax
        && function.Parent is ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call }
        && MayRunWithin(call)
        && !function.DescendantNodes().Any(static inner => inner is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax)
        && model?.GetSymbolInfo(call).Symbol is IMethodSymbol method
        && KnownSymbols.IsOfBaseLibrary(method)
        && !KnownSymbols.IsTask(method.ReturnType);

    internal static bool IsFunction(SyntaxNode node) => node is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax;

    /// <summary>Returns whether the method around a function only calls it, by its name, so that it ends with the method.</summary>
    internal static bool IsOnlyCalled(SyntaxNode function) =>
        NameOf(function) is { } name
        && !IsSuspended(function)
        && !function.DescendantNodes().Any(IsFunction)
        && function.Ancestors().FirstOrDefault(static outer => outer is MemberDeclarationSyntax || IsFunction(outer)) is { } around
        && around.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(use => use.Identifier.ValueText == name)
            .All(static use => use.Parent is InvocationExpressionSyntax
                || use.Parent is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Invoke", Parent: InvocationExpressionSyntax });

    /// <summary>Returns the name of a local function, or of the variable that begins with a lambda; null if it has none.</summary>
    private static string? NameOf(SyntaxNode function) => function switch
    {
        LocalFunctionStatementSyntax local => local.Identifier.ValueText,
        { Parent: EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax variable } } => variable.Identifier.ValueText,
        _ => null,
    };

    /// <summary>Returns whether a function may go on after its call returned: it is asynchronous, or an iterator.</summary>
    private static bool IsSuspended(SyntaxNode function) => function switch
    {
        LocalFunctionStatementSyntax local => local.Modifiers.Any(SyntaxKind.AsyncKeyword)
            || local.DescendantNodes().Any(static node => node is YieldStatementSyntax),
        AnonymousFunctionExpressionSyntax lambda => lambda.AsyncKeyword.RawKind != 0,
        _ => true,
    };

    /// <summary>
    /// Returns whether a function goes to a call that tests whether it throws, itself or in a variable: what it creates is not meant to be.
    /// </summary>
    internal static bool IsExpectedToThrow(SyntaxNode function) => function.Parent switch
    {
        ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } => ExpectsThrow(call),
        EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax { Identifier.ValueText: var variable } declarator } =>
            declarator.FirstAncestorOrSelf<MemberDeclarationSyntax>() is { } member
            && member.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call =>
                ExpectsThrow(call)
                && call.DescendantNodes().OfType<IdentifierNameSyntax>().Any(name => name.Identifier.ValueText == variable)),
        _ => false,
    };

    /// <summary>Returns whether a call has a name of the methods by which frameworks of tests expect an exception.</summary>
    private static bool ExpectsThrow(InvocationExpressionSyntax call) =>
        call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: var name }
        && (name.StartsWith("Throw", System.StringComparison.Ordinal)
            || name.StartsWith("ShouldThrow", System.StringComparison.Ordinal)
            || name is "Catch" or "CatchAsync");

    /// <summary>Asks for names first, because most lambdas go elsewhere.</summary>
    private static bool MayRunWithin(InvocationExpressionSyntax call) =>
        call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: var name, Expression: var receiver }
        && (receiver, name) switch
        {
            (SimpleNameSyntax { Identifier.ValueText: "Parallel" }, "For" or "ForEach" or "Invoke") => true,
            (SimpleNameSyntax { Identifier.ValueText: "Array" }, "ForEach" or "Sort" or "Exists" or "FindIndex") => true,
            (_, "Any" or "All" or "Count" or "First" or "FirstOrDefault" or "Single" or "SingleOrDefault" or "Last" or "LastOrDefault"
                or "Sum" or "Min" or "Max" or "Average" or "Aggregate" or "ToDictionary") => true,
            (_, "Exists" or "Find" or "FindIndex" or "FindLast" or "RemoveAll" or "TrueForAll" or "ForEach") => true,
            (PredefinedTypeSyntax { Keyword.RawKind: (int)SyntaxKind.StringKeyword }, "Create") => true,
            _ => false,
        };
}
