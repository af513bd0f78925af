using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Syntax;

/// <summary>Recognizes throw statements that a program is meant to reach: exits of a method like a return statement.</summary>
internal static class ThrowSyntax
{
    /// <summary>
    /// Returns whether an exception that is thrown says something about the input of a method. One that follows another exception, or that
    /// says that the program is wrong, does not.
    /// </summary>
    internal static bool IsExit(IOperation? thrown) =>
        thrown is { Syntax: ExpressionSyntax exception }
        && exception.Parent is ThrowStatementSyntax or ThrowExpressionSyntax
        && !exception.Ancestors().TakeWhile(static node => node is not (MemberDeclarationSyntax or AnonymousFunctionExpressionSyntax
            or LocalFunctionStatementSyntax)).Any(static node => node is CatchClauseSyntax or FinallyClauseSyntax)
        && !SaysProgramIsWrong(thrown.Type?.Name)
        && !(thrown.Type?.Name is "ArgumentOutOfRangeException" or "InvalidOperationException" && IsOfDefault(exception.Parent));

    private static bool SaysProgramIsWrong(string? exception) => exception is "UnreachableException" or "NotImplementedException"
        or "NotSupportedException" or "InvalidEnumArgumentException" or "ObjectDisposedException" or "ArgumentNullException"
        or "OutOfMemoryException";

    /// <summary>Returns whether code throws where no other case of a switch applies.</summary>
    private static bool IsOfDefault(SyntaxNode thrown) => thrown.Parent switch
    {
        SwitchExpressionArmSyntax arm => arm.Pattern is DiscardPatternSyntax,
        SwitchSectionSyntax section => section.Labels.Any(SyntaxKind.DefaultSwitchLabel),
        BlockSyntax { Parent: SwitchSectionSyntax section } => section.Labels.Any(SyntaxKind.DefaultSwitchLabel),
        _ => false,
    };
}
