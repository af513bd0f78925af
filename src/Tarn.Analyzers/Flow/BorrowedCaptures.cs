using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether a lambda only works with what it captures, while the call runs that receives it.</summary>
internal static class BorrowedCaptures
{
    /// <summary>Returns whether a function is done with a captured variable when the call returns that receives the function.</summary>
    internal static bool Borrows(SyntaxNode function, string variable, MethodContext context) =>
        Callbacks.RunWithinCall(function, context.Model)
        && function.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == variable)
            .All(name => OnlyWorksWith(name, context.Model!, context));

    private static bool OnlyWorksWith(IdentifierNameSyntax name, SemanticModel model, MethodContext context) => name.Parent switch
    {
        ElementAccessExpressionSyntax element => element.Expression == name && element.Parent is not RefExpressionSyntax,
        MemberAccessExpressionSyntax member => member.Expression == name ? member.Name.Identifier.ValueText == "Length" : true,
        ArgumentSyntax argument => model.GetOperation(argument) is IArgumentOperation passed && OnlyBorrows(passed, context),
        _ => false,
    };

    private static bool OnlyBorrows(IArgumentOperation argument, MethodContext context)
    {
        if (argument.Parameter is not { RefKind: RefKind.None } parameter
            || (argument.Parent is IInvocationOperation call && context.Known.AsReturn(call) is not null))
        {
            return false;
        }

        return context.Known.Borrows(parameter)
            ? !KnownSymbols.Keeps(parameter)
            : context.Summaries.EffectOf(parameter) is { } effect && (effect & ~ParameterEffect.OnContents) == 0;
    }
}
