using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>Answers whether the arguments of a constructor decide that the object never rents: some builders may not grow.</summary>
/// <remarks>
/// A field that only constructors set decides on a rent if the code asks for it before, and throws or leaves otherwise. What an argument
/// says that is no constant is not known: then the object is not followed.
/// </remarks>
internal static class GrowthSwitch
{
    /// <summary>Returns whether an object rents when a creation decides it; null if the arguments do not show that.</summary>
    /// <param name="creation">The creation.</param>
    /// <param name="renting">The code of the type that may rent.</param>
    /// <param name="growing">The names of its methods that may rent.</param>
    internal static bool? Allows(
        IObjectCreationOperation creation, IReadOnlyCollection<SyntaxNode> renting, IReadOnlyCollection<string> growing)
    {
        bool? all = true;
        foreach ((string name, bool allows) in ConditionsIn(renting, growing))
        {
            if (ParameterOf(name, creation.Constructor!) is { } parameter)
            {
                IOperation? value = creation.Arguments.FirstOrDefault(one => one.Parameter?.Ordinal == parameter.Ordinal)?.Value;
                bool? isSet = value is null ? null : IsSet(value);
                all = isSet is null ? null : all == true && isSet == allows;
            }

            if (all != true)
            {
                return all;
            }
        }

        return all;
    }

    /// <summary>Returns the names that code asks for before it rents, and the answer for which it does.</summary>
    private static IEnumerable<(string Name, bool Allows)> ConditionsIn(
        IReadOnlyCollection<SyntaxNode> renting, IReadOnlyCollection<string> growing)
    {
        foreach (SyntaxNode node in renting.SelectMany(static source => source.DescendantNodes()))
        {
            (ExpressionSyntax? condition, bool isLeft) = node switch
            {
                IfStatementSyntax { Else: null } asked when Leaves(asked.Statement) => (RentsAfter(asked) ? asked.Condition : null, true),
                IfStatementSyntax { Else: null } asked when Rents(asked.Statement, growing) => (asked.Condition, false),
                ConditionalExpressionSyntax choice when Rents(choice.WhenTrue, growing) => (choice.Condition, false),
                ConditionalExpressionSyntax choice when Rents(choice.WhenFalse, growing) => (choice.Condition, true),
                _ => ((ExpressionSyntax?)null, false),
            };
            foreach ((string name, bool isSet) in condition is null ? [] : NamesIn(condition, isNegated: isLeft))
            {
                yield return (name, isSet);
            }
        }

        bool RentsAfter(IfStatementSyntax asked) =>
            asked.Parent is BlockSyntax block
            && block.Statements.Any(next => next.SpanStart > asked.SpanStart && Rents(next, growing));
    }

    /// <summary>Returns the names that must be set, or not, for a condition to hold; or for it not to hold.</summary>
    private static IEnumerable<(string Name, bool IsSet)> NamesIn(ExpressionSyntax condition, bool isNegated) => condition switch
    {
        ParenthesizedExpressionSyntax inner => NamesIn(inner.Expression, isNegated),
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } not => NamesIn(not.Operand, !isNegated),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression } two =>
            two.IsKind(SyntaxKind.LogicalOrExpression) == isNegated
                ? NamesIn(two.Left, isNegated).Concat(NamesIn(two.Right, isNegated))
                : [],
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.EqualsExpression, Right: LiteralExpressionSyntax literal } equal
            when IsNull(literal) || literal.IsKind(SyntaxKind.FalseLiteralExpression) => NamesIn(equal.Left, !isNegated),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression, Right: LiteralExpressionSyntax literal } unequal
            when IsNull(literal) => NamesIn(unequal.Left, isNegated),
        IsPatternExpressionSyntax { Pattern: ConstantPatternSyntax { Expression: LiteralExpressionSyntax literal } } test
            when IsNull(literal) || literal.IsKind(SyntaxKind.FalseLiteralExpression) => NamesIn(test.Expression, !isNegated),
        IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax { Pattern: ConstantPatternSyntax } } test =>
            NamesIn(test.Expression, isNegated),
        IdentifierNameSyntax name => [(name.Identifier.ValueText, !isNegated)],
        MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax, Name: var name } => [(name.Identifier.ValueText, !isNegated)],
        _ => [],
    };

    /// <summary>
    /// Returns the parameter that a name stands for: itself, or one that the constructor puts in a field which nothing else sets.
    /// </summary>
    private static IParameterSymbol? ParameterOf(string name, IMethodSymbol constructor)
    {
        if (constructor.Parameters.FirstOrDefault(one => one.Name == name && MaySwitch(one)) is { } itself)
        {
            return itself;
        }

        IFieldSymbol? field = constructor.ContainingType.GetMembers(name).OfType<IFieldSymbol>().FirstOrDefault();
        if (field is null || !IsSetByConstructors(field))
        {
            return null;
        }

        SyntaxNode? source = constructor.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax();
        string? given = source is null ? null
            : source.DescendantNodes().OfType<AssignmentExpressionSyntax>()
                .FirstOrDefault(assignment => NameOf(assignment.Left) == name)?.Right is { } assigned ? NameOf(assigned)
            : field.DeclaringSyntaxReferences[0].GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: { } first } ? NameOf(first)
            : null;
        return constructor.Parameters.FirstOrDefault(one => one.Name == given && MaySwitch(one));
    }

    private static bool MaySwitch(IParameterSymbol parameter) =>
        parameter.Type.SpecialType == SpecialType.System_Boolean
        || (parameter.Type is { IsReferenceType: true } and not IArrayTypeSymbol && parameter.Type.SpecialType == SpecialType.None);

    private static bool IsSetByConstructors(IFieldSymbol field) =>
        field.IsReadOnly
        || (field.DeclaredAccessibility == Accessibility.Private
            && !field.ContainingType.DeclaringSyntaxReferences
                .SelectMany(static reference => reference.GetSyntax().DescendantNodes())
                .OfType<AssignmentExpressionSyntax>()
                .Any(assignment => NameOf(assignment.Left) == field.Name
                    && assignment.FirstAncestorOrSelf<ConstructorDeclarationSyntax>() is null));

    private static bool? IsSet(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        { ConstantValue: { HasValue: true, Value: bool constant } } => constant,
        IDefaultValueOperation or { ConstantValue: { HasValue: true, Value: null } } => false,
        { Type.IsReferenceType: true } => true,
        _ => null,
    };

    private static bool Leaves(StatementSyntax statement) =>
        (statement is BlockSyntax { Statements: { Count: > 0 } inner } ? inner[inner.Count - 1] : statement)
            is ThrowStatementSyntax or ReturnStatementSyntax;

    private static bool Rents(SyntaxNode code, IReadOnlyCollection<string> growing) =>
        PooledTypes.CallsOnPool(code, "Rent") || PooledMembers.CallsOwn(code, growing);

    private static bool IsNull(LiteralExpressionSyntax literal) =>
        literal.IsKind(SyntaxKind.NullLiteralExpression) || literal.IsKind(SyntaxKind.DefaultLiteralExpression);

    private static string NameOf(ExpressionSyntax expression) => expression switch
    {
        IdentifierNameSyntax name => name.Identifier.ValueText,
        MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax, Name: var name } => name.Identifier.ValueText,
        _ => string.Empty,
    };
}
