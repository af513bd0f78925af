using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Syntax;

/// <summary>Tells from the source of calls that return a variable's buffer which buffers these may be.</summary>
internal static class ReturnSyntax
{
    /// <summary>Returns the name of the variable whose buffer a call returns; null if it returns another expression.</summary>
    internal static string? NameOf(SyntaxNode call) => call switch
    {
        InvocationExpressionSyntax { ArgumentList.Arguments: { Count: > 0 } arguments }
            when arguments[0].Expression is IdentifierNameSyntax name => name.Identifier.ValueText,
        _ => null,
    };

    /// <summary>
    /// Returns whether a call returns whatever a local variable holds, and not only what was rented: no condition stands between the call
    /// and the declaration of the variable, apart from checks for null.
    /// </summary>
    internal static bool ReturnsAny(SyntaxNode call) =>
        NameOf(call) is { } name
        && ConditionSyntax.AlwaysRuns(call, outer => outer is BlockSyntax block && Declares(block.Statements, name));

    /// <summary>
    /// Returns whether two calls return variables of different names under a condition that names both, so that the code may know whether
    /// they have the same buffer. What comparing them says, the paths show.
    /// </summary>
    internal static bool MayTellApart(SyntaxNode one, SyntaxNode other)
    {
        return NameOf(one) is { } name && NameOf(other) is { } otherName && name != otherName && (Asks(one) || Asks(other));

        bool Asks(SyntaxNode call) =>
            call.Ancestors().OfType<IfStatementSyntax>().Any(asked =>
                asked.Condition is not BinaryExpressionSyntax { Left: IdentifierNameSyntax, Right: IdentifierNameSyntax }
                && Names(asked.Condition, NameOf(one)!)
                && Names(asked.Condition, NameOf(other)!));
    }

    private static bool Names(ExpressionSyntax condition, string name) =>
        condition.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(one => one.Identifier.ValueText == name);

    private static bool Declares(SyntaxList<StatementSyntax> statements, string name) =>
        statements.OfType<LocalDeclarationStatementSyntax>()
            .SelectMany(static statement => statement.Declaration.Variables)
            .Any(variable => variable.Identifier.ValueText == name);
}
