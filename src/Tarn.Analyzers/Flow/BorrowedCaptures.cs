using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether a lambda or local function only works with what it captures, and keeps and returns nothing.</summary>
internal static class BorrowedCaptures
{
    /// <summary>Returns whether each use of a variable in a function only works with its contents.</summary>
    internal static bool OnlyWorkWith(
        SyntaxNode function, string variable, SemanticModel model, KnownSymbols known, MethodSummaries summaries) =>
        function.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == variable)
            .All(name => OnlyWorksWith(name, model, known, summaries));

    private static bool OnlyWorksWith(IdentifierNameSyntax name, SemanticModel model, KnownSymbols known, MethodSummaries summaries) =>
        name.Parent switch
        {
            ElementAccessExpressionSyntax element => element.Expression == name && element.Parent is not RefExpressionSyntax,
            MemberAccessExpressionSyntax member => member.Expression == name ? member.Name.Identifier.ValueText == "Length" : true,
            ArgumentSyntax argument =>
                model.GetOperation(argument) is IArgumentOperation passed && OnlyBorrows(passed, known, summaries),
            _ => false,
        };

    private static bool OnlyBorrows(IArgumentOperation argument, KnownSymbols known, MethodSummaries summaries)
    {
        if (argument.Parameter is not { RefKind: RefKind.None } parameter
            || (argument.Parent is IInvocationOperation call
                && (known.AsReturn(call) is not null || KnownSymbols.IsTask(call.TargetMethod.ReturnType))))
        {
            return false;
        }

        return known.Borrows(parameter)
            ? !KnownSymbols.Keeps(parameter)
            : summaries.EffectOf(parameter) is { } effect && (effect & ~ParameterEffect.OnContents) == 0;
    }
}
