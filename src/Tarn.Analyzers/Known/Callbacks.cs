using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Known;

/// <summary>Recognizes lambdas that only run while the call runs that receives them: what they capture is only borrowed.</summary>
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
