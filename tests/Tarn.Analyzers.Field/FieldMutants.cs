using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Field;

/// <summary>Puts bugs into types that keep a rented array in a field, and return it.</summary>
internal static class FieldMutants
{
    internal static IEnumerable<Mutant> Of(SemanticModel model)
    {
        SyntaxNode root = model.SyntaxTree.GetRoot();
        foreach (ExpressionStatementSyntax statement in root.DescendantNodes().OfType<ExpressionStatementSyntax>())
        {
            if (statement is not { Expression: InvocationExpressionSyntax call, Parent: BlockSyntax block }
                || !Mutants.IsReturn(model, call)
                || FieldOf(model, call.ArgumentList.Arguments[0].Expression) is not { } field
                || statement.FirstAncestorOrSelf<MemberDeclarationSyntax>() is not BaseMethodDeclarationSyntax member
                || statement.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } type
                || !IsRented(model, type, field))
            {
                continue;
            }

            bool isOnly = type.DescendantNodes().OfType<ArgumentSyntax>().Count(argument =>
                SymbolEqualityComparer.Default.Equals(FieldOf(model, argument.Expression), field)
                && argument.Parent?.Parent is InvocationExpressionSyntax other
                && Mutants.IsReturn(model, other)) == 1;
            if (isOnly && !type.Modifiers.Any(SyntaxKind.PartialKeyword))
            {
                yield return new("field: never returned", "TARN011", member, statement, Without(root, statement));
            }

            if (member is not MethodDeclarationSyntax { Identifier.Text: "Dispose" })
            {
                continue;
            }

            StatementSyntax? reset = block.Statements.SkipWhile(one => one != statement).FirstOrDefault(one => IsReset(model, one, field));
            if (reset is not null && !IsGuarded(member, statement, field))
            {
                yield return new("field: kept by Dispose", "TARN005;TARN001;TARN002", member, reset, Without(root, reset));
            }
        }
    }

    /// <summary>Whether a condition that does not name the field decides on the return, such as a flag that Dispose sets.</summary>
    private static bool IsGuarded(BaseMethodDeclarationSyntax member, StatementSyntax statement, IFieldSymbol field) =>
        statement.Ancestors().OfType<IfStatementSyntax>()
            .Concat(member.Body!.Statements.TakeWhile(one => !one.Span.Contains(statement.Span)).OfType<IfStatementSyntax>())
            .Any(condition => !condition.Condition.ToString().Contains(field.Name, StringComparison.Ordinal));

    /// <summary>Leaves nothing of a statement but its lines.</summary>
    private static SyntaxNode Without(SyntaxNode root, StatementSyntax statement)
    {
        string lines = string.Concat(statement.ToString().Where(static one => one == '\n'));
        return root.ReplaceNode(
            statement,
            SyntaxFactory.EmptyStatement()
                .WithLeadingTrivia(statement.GetLeadingTrivia())
                .WithTrailingTrivia(SyntaxFactory.ParseTrailingTrivia(lines).AddRange(statement.GetTrailingTrivia())));
    }

    private static bool IsReset(SemanticModel model, StatementSyntax statement, IFieldSymbol field) =>
        statement is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment }
        && assignment.IsKind(SyntaxKind.SimpleAssignmentExpression)
        && SymbolEqualityComparer.Default.Equals(FieldOf(model, assignment.Left), field);

    private static bool IsRented(SemanticModel model, TypeDeclarationSyntax type, IFieldSymbol field) =>
        type.DescendantNodes().OfType<AssignmentExpressionSyntax>().Any(assignment =>
            SymbolEqualityComparer.Default.Equals(FieldOf(model, assignment.Left), field) && Mutants.IsRent(model, assignment.Right));

    private static IFieldSymbol? FieldOf(SemanticModel model, ExpressionSyntax expression) => expression switch
    {
        PostfixUnaryExpressionSyntax { Operand: var inner } => FieldOf(model, inner),
        IdentifierNameSyntax or MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } =>
            model.GetSymbolInfo(expression).Symbol as IFieldSymbol,
        _ => null,
    };
}
