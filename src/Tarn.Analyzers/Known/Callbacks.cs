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
            (PredefinedTypeSyntax { Keyword.RawKind: (int)SyntaxKind.StringKeyword }, "Create") => true,
            _ => false,
        };
}
