using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Syntax;

/// <summary>Determines from the source of a member whether it clears a buffer, where no path shows it.</summary>
internal static class ClearingSyntax
{
    private static readonly string[] s_words = ["Clear", "Zero", "Wipe", "Erase", "Scrub", "Reset", "InitBlock"];

    /// <summary>Returns whether the name of a method suggests that it clears.</summary>
    internal static bool IsClearingName(string name) => s_words.Any(word => name.IndexOf(word, StringComparison.OrdinalIgnoreCase) >= 0);

    /// <summary>Returns whether something in the member around a place clears something.</summary>
    internal static bool ClearsSomething(SyntaxNode place) =>
        Around(place).DescendantNodes().Any(static node => node switch
        {
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax member } =>
                IsClearingName(member.Name.Identifier.ValueText),
            InvocationExpressionSyntax { Expression: SimpleNameSyntax name } => IsClearingName(name.Identifier.ValueText),
            ConditionalAccessExpressionSyntax { WhenNotNull: InvocationExpressionSyntax call } =>
                call.Expression is MemberBindingExpressionSyntax member && IsClearingName(member.Name.Identifier.ValueText),
            AssignmentExpressionSyntax { Left: ElementAccessExpressionSyntax } assignment => IsDefault(assignment.Right),
            _ => false,
        });

    /// <summary>Returns whether the member around a place tests whether a type contains references.</summary>
    internal static bool AsksForReferences(SyntaxNode place) =>
        Around(place).DescendantTokens()
            .Any(static token => token.ValueText is "IsReferenceOrContainsReferences" or "IsValueType" or "IsPrimitive");

    /// <summary>Returns whether the member around a place takes the address of something: writes through it are not seen.</summary>
    internal static bool UsesPointers(SyntaxNode place) =>
        Around(place).DescendantNodes().Any(static node => node is FixedStatementSyntax);

    private static bool IsDefault(ExpressionSyntax value) => value switch
    {
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } suppressed =>
            IsDefault(suppressed.Operand),
        DefaultExpressionSyntax => true,
        _ => value.Kind() is SyntaxKind.NullLiteralExpression or SyntaxKind.DefaultLiteralExpression,
    };

    private static SyntaxNode Around(SyntaxNode place) =>
        place.AncestorsAndSelf().FirstOrDefault(static node => node is MemberDeclarationSyntax and not GlobalStatementSyntax)
        ?? place.SyntaxTree.GetRoot();
}
