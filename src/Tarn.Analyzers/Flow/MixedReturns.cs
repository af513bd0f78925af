using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Recognizes calls that return whatever a variable holds, and not only what was rented: no condition stands between the call and the
/// declaration of the variable, apart from checks for null.
/// </summary>
internal static class MixedReturns
{
    /// <summary>Returns whether a call that returns a local variable runs whichever array the variable has got.</summary>
    internal static bool ReturnsAny(SyntaxNode call) =>
        call is InvocationExpressionSyntax { ArgumentList.Arguments: { Count: > 0 } arguments }
        && arguments[0].Expression is IdentifierNameSyntax { Identifier.ValueText: var name }
        && ConditionSyntax.AlwaysRuns(call, outer => outer is BlockSyntax block && Declares(block.Statements, name));

    private static bool Declares(SyntaxList<StatementSyntax> statements, string name) =>
        statements.OfType<LocalDeclarationStatementSyntax>()
            .SelectMany(static statement => statement.Declaration.Variables)
            .Any(variable => variable.Identifier.ValueText == name);
}
