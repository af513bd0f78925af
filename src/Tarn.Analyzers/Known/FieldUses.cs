using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Known;

/// <summary>What the source of a type does with one of its private fields, as far as names tell.</summary>
internal static class FieldUses
{
    /// <summary>Whether nothing outside of a method writes the field, so that what the method put there stays while others run.</summary>
    internal static bool IsWrittenOnlyIn(IFieldSymbol field, SyntaxNode method) =>
        IsPrivate(field) && NamesOf(field).All(name => !IsWrite(name) || (name.SyntaxTree == method.SyntaxTree && method.Span.Contains(name.Span)));

    /// <summary>Whether the type gives back what stands in the field: a call named Return gets it, or a local variable that was given it.</summary>
    internal static bool IsReturned(IFieldSymbol field) => IsPrivate(field) && NamesOf(field).Any(static name => IsReturned(Access(name)) || IsTakenToReturn(name));

    private static bool IsReturned(ExpressionSyntax argument) =>
        argument.Parent is ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } && NameOf(call) == "Return";

    private static bool IsTakenToReturn(IdentifierNameSyntax name) =>
        name.FirstAncestorOrSelf<VariableDeclaratorSyntax>() is { } local
        && local.FirstAncestorOrSelf<MemberDeclarationSyntax>() is { } member
        && member.DescendantNodes().OfType<IdentifierNameSyntax>().Any(use => use.Identifier.ValueText == local.Identifier.ValueText && IsReturned(use));

    /// <summary>Whether nothing but rented arrays is put into the field: whatever a call named Rent gives, by itself or by way of a local variable.</summary>
    internal static bool IsAlwaysRented(IFieldSymbol field) =>
        IsPrivate(field)
        && field.DeclaringSyntaxReferences.All(static reference => reference.GetSyntax() is VariableDeclaratorSyntax { Initializer: null })
        && NamesOf(field).All(static name => !IsWrite(name) || IsOfRentedArray(name));

    /// <summary>Whether the field is given a pool made for it, and never another.</summary>
    internal static bool IsPoolOfItsOwn(IFieldSymbol field) =>
        field.Type is { Name: "ArrayPool" }
        && !field.DeclaringSyntaxReferences.IsEmpty
        && field.DeclaringSyntaxReferences.All(static reference =>
            reference.GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Create" } made } }
            && made.Expression.ToString().Contains("ArrayPool<"))
        && !NamesOf(field).Any(IsWrite);

    private static bool IsOfRentedArray(IdentifierNameSyntax name) => Access(name).Parent is AssignmentExpressionSyntax assignment && Unwrapped(assignment.Right) switch
    {
        InvocationExpressionSyntax call => NameOf(call) == "Rent",
        LiteralExpressionSyntax literal => literal.IsKind(SyntaxKind.NullLiteralExpression) || literal.IsKind(SyntaxKind.DefaultLiteralExpression),
        IdentifierNameSyntax local => IsRentedLocal(local),
        _ => false,
    };

    private static ExpressionSyntax Unwrapped(ExpressionSyntax expression) =>
        expression is PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } suppressed ? suppressed.Operand : expression;

    private static bool IsRentedLocal(IdentifierNameSyntax local) =>
        local.FirstAncestorOrSelf<MemberDeclarationSyntax>() is { } member
        && member.DescendantNodes().OfType<VariableDeclaratorSyntax>().Any(declarator =>
            declarator.Identifier.ValueText == local.Identifier.ValueText
            && declarator.Initializer?.Value is InvocationExpressionSyntax call && NameOf(call) == "Rent");

    private static bool IsPrivate(IFieldSymbol field) => field.DeclaredAccessibility == Accessibility.Private;

    private static IEnumerable<IdentifierNameSyntax> NamesOf(IFieldSymbol field) =>
        field.ContainingType.DeclaringSyntaxReferences
            .SelectMany(static reference => reference.GetSyntax().DescendantNodes())
            .OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == field.Name);

    private static bool IsWrite(IdentifierNameSyntax name)
    {
        ExpressionSyntax access = Access(name);
        return access.Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left == access,
            ArgumentSyntax argument => !argument.RefKindKeyword.IsKind(SyntaxKind.None) || argument.Parent is TupleExpressionSyntax,
            RefExpressionSyntax => true,
            _ => false,
        };
    }

    /// <summary>The name with <c>this.</c> before it, if it has that.</summary>
    private static ExpressionSyntax Access(IdentifierNameSyntax name) => name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access : name;

    private static string? NameOf(InvocationExpressionSyntax call) => call.Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        IdentifierNameSyntax name => name.Identifier.ValueText,
        _ => null,
    };
}
