using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Syntax;

/// <summary>Determines from the source of a member whether it clears a buffer, where no path shows it.</summary>
internal static class ClearingSyntax
{
    /// <summary>
    /// Returns whether code before a use fills what follows some elements of an array up to its end: then all of it has contents.
    /// </summary>
    internal static bool FillsRest(SyntaxNode use, string array) =>
        Around(use).DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call =>
            call.SpanStart < use.SpanStart
            && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Fill" or "Clear", Expression: { } filled }
            && IsRest(filled, call.ArgumentList, array));

    private static bool IsRest(ExpressionSyntax filled, ArgumentListSyntax arguments, string array) => filled switch
    {
        IdentifierNameSyntax { Identifier.ValueText: "Array" } => IsRest(arguments.Arguments, array),
        BaseObjectCreationExpressionSyntax { ArgumentList.Arguments: var bounds } => IsRest(bounds, array),
        InvocationExpressionSyntax
        {
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "AsSpan", Expression: { } source },
            ArgumentList.Arguments: var bounds,
        } => source.ToString() == array && bounds.Count switch
        {
            1 => bounds[0].Expression is not LiteralExpressionSyntax,
            2 => IsLengthAfter(bounds[1], bounds[0], array),
            _ => false,
        },
        _ => false,
    };

    /// <summary>Returns whether the first argument is the array, and the last two are an index and the length from there on.</summary>
    private static bool IsRest(SeparatedSyntaxList<ArgumentSyntax> arguments, string array) =>
        arguments.Count >= 3
        && arguments[0].ToString() == array
        && IsLengthAfter(arguments[arguments.Count - 1], arguments[arguments.Count - 2], array);

    private static bool IsLengthAfter(ArgumentSyntax length, ArgumentSyntax start, string array) =>
        length.Expression is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.SubtractExpression } rest
        && rest.Left.ToString() == array + ".Length"
        && rest.Right.ToString() == start.ToString();

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
