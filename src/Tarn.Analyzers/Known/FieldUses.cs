using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Known;

/// <summary>Answers how the source of a type uses a private field, as far as names show.</summary>
/// <remarks>
/// A result takes a walk through the source of the type and is needed on many paths, so it is cached for the compilation.
/// </remarks>
internal sealed class FieldUses
{
    private readonly ConcurrentDictionary<IFieldSymbol, bool> _rentedAndReturned = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IFieldSymbol, bool> _ownPools = new(SymbolEqualityComparer.Default);

    /// <summary>Returns whether the type stores only rented arrays in the field, and returns them.</summary>
    internal bool IsRentedAndReturned(IFieldSymbol field) =>
        _rentedAndReturned.GetOrAdd(field.OriginalDefinition, static candidate => IsReturned(candidate) && IsAlwaysRented(candidate));

    /// <summary>
    /// Returns whether a method that puts a rented array in the field loses another: the type returns arrays of the field, other code of it
    /// puts rented ones there, and the method neither asks what the field holds nor notes what it put there.
    /// </summary>
    internal static bool IsLostIn(IFieldSymbol field, SyntaxNode method) =>
        method is BaseMethodDeclarationSyntax and not ConstructorDeclarationSyntax
        && IsReturned(field)
        && NamesOf(field).Any(name =>
            !method.Contains(name)
            && IsWrite(name)
            && Access(name).Parent is AssignmentExpressionSyntax { Right: not LiteralExpressionSyntax }
            && IsOfRentedArray(name))
        && NamesOf(field).All(name => !method.Contains(name) || (IsWrite(name) ? IsOfRentedArray(name) : !IsAsked(name)))
        && !method.DescendantNodes().OfType<AssignmentExpressionSyntax>().Any(static assignment =>
            assignment.Right.IsKind(SyntaxKind.TrueLiteralExpression) || assignment.Right.IsKind(SyntaxKind.FalseLiteralExpression));

    /// <summary>Returns whether a condition contains a name.</summary>
    private static bool IsAsked(IdentifierNameSyntax name)
    {
        for (SyntaxNode node = name; node.Parent is { } outer and not MemberDeclarationSyntax; node = outer)
        {
            if (outer is ConditionalExpressionSyntax or ConditionalAccessExpressionSyntax or SwitchExpressionSyntax
                || outer.IsKind(SyntaxKind.CoalesceExpression)
                || (outer is IfStatementSyntax asking && asking.Condition == node)
                || (outer is WhileStatementSyntax repeating && repeating.Condition == node)
                || (outer is ForStatementSyntax counting && counting.Condition == node)
                || (outer is SwitchStatementSyntax choosing && choosing.Expression == node))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns whether the field is only ever assigned a pool created for it.</summary>
    internal bool IsOwnPool(IFieldSymbol field) =>
        _ownPools.GetOrAdd(field.OriginalDefinition, static candidate => IsMadeForField(candidate));

    /// <summary>Returns whether only one method writes the field, so that its value stays while other methods run.</summary>
    internal static bool IsWrittenOnlyIn(IFieldSymbol field, SyntaxNode method) =>
        IsPrivate(field)
        && NamesOf(field).All(name => !IsWrite(name) || (name.SyntaxTree == method.SyntaxTree && method.Span.Contains(name.Span)));

    /// <summary>Returns whether the type returns the field's value: a call named Return receives it, or a local assigned from it.</summary>
    private static bool IsReturned(IFieldSymbol field) =>
        IsPrivate(field) && NamesOf(field).Any(static name => IsReturned(Access(name)) || IsTakenToReturn(name));

    /// <summary>Returns whether an array goes to a call named Return, or an owner is disposed.</summary>
    private static bool IsReturned(ExpressionSyntax buffer) => buffer.Parent switch
    {
        ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } => NameOf(call) == "Return",
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Dispose", Parent: InvocationExpressionSyntax } => true,
        ConditionalAccessExpressionSyntax { WhenNotNull: InvocationExpressionSyntax called } =>
            called.Expression is MemberBindingExpressionSyntax { Name.Identifier.ValueText: "Dispose" },
        _ => false,
    };

    private static bool IsTakenToReturn(IdentifierNameSyntax name) =>
        name.FirstAncestorOrSelf<VariableDeclaratorSyntax>() is { } local
        && local.FirstAncestorOrSelf<MemberDeclarationSyntax>() is { } member
        && member.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Any(use => use.Identifier.ValueText == local.Identifier.ValueText && IsReturned(use));

    /// <summary>Returns whether the field is assigned only results of calls named Rent, directly or through a local.</summary>
    private static bool IsAlwaysRented(IFieldSymbol field) =>
        IsPrivate(field)
        && field.DeclaringSyntaxReferences.All(static reference => reference.GetSyntax() is VariableDeclaratorSyntax { Initializer: null })
        && NamesOf(field).All(static name => !IsWrite(name) || IsOfRentedArray(name));

    private static bool IsMadeForField(IFieldSymbol field) =>
        field.Type is { Name: "ArrayPool" }
        && !field.DeclaringSyntaxReferences.IsEmpty
        && field.DeclaringSyntaxReferences.All(static reference =>
            reference.GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: InvocationExpressionSyntax call }
            && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Create" } made
            && made.Expression.ToString().Contains("ArrayPool<"))
        && !NamesOf(field).Any(IsWrite);

    private static bool IsOfRentedArray(IdentifierNameSyntax name) =>
        Access(name).Parent is AssignmentExpressionSyntax assignment && Unwrapped(assignment.Right) switch
        {
            InvocationExpressionSyntax call => NameOf(call) == "Rent",
            LiteralExpressionSyntax literal =>
                literal.IsKind(SyntaxKind.NullLiteralExpression) || literal.IsKind(SyntaxKind.DefaultLiteralExpression),
            IdentifierNameSyntax local => IsRentedLocal(local),
            _ => false,
        };

    private static ExpressionSyntax Unwrapped(ExpressionSyntax expression) =>
        expression is PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } suppressed
            ? suppressed.Operand
            : expression;

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

    /// <summary>Returns the name with <c>this.</c> before it, if it has that.</summary>
    private static ExpressionSyntax Access(IdentifierNameSyntax name) =>
        name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access : name;

    private static string? NameOf(InvocationExpressionSyntax call) => call.Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        IdentifierNameSyntax name => name.Identifier.ValueText,
        _ => null,
    };
}
