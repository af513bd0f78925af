using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Field;

/// <summary>Puts bugs into the members of a file that rent or return arrays of the base library's pool, or own memory.</summary>
/// <remarks>
/// Each bug is certain in the member alone, whatever its callers do: the array is in a local variable that the member rents, or the
/// member itself returns what it uses or returns once more.
/// </remarks>
internal static class Mutants
{
    internal static IEnumerable<Mutant> Of(SemanticModel model)
    {
        SyntaxNode root = model.SyntaxTree.GetRoot();
        foreach (MemberDeclarationSyntax member in root.DescendantNodes().OfType<MemberDeclarationSyntax>()
            .Where(static one => one is BaseMethodDeclarationSyntax or BasePropertyDeclarationSyntax))
        {
            foreach (SyntaxNode node in member.DescendantNodes())
            {
                IEnumerable<Mutant> found = node switch
                {
                    ExpressionStatementSyntax { Expression: InvocationExpressionSyntax call } statement =>
                        OfStatement(model, root, member, statement, call),
                    LocalDeclarationStatementSyntax declaration => OfDeclaration(model, root, member, declaration),
                    ArgumentSyntax { Expression: InvocationExpressionSyntax slice } => OfSlice(model, root, member, slice),
                    InvocationExpressionSyntax rent => OfRent(model, root, member, rent),
                    _ => [],
                };
                foreach (Mutant mutant in found)
                {
                    yield return mutant;
                }
            }
        }
    }

    private static IEnumerable<Mutant> OfStatement(
        SemanticModel model, SyntaxNode root, SyntaxNode member, ExpressionStatementSyntax statement, InvocationExpressionSyntax call)
    {
        if (Callee(model, call) is not { } callee || statement.Parent is not BlockSyntax)
        {
            yield break;
        }

        if (IsReturn(model, call)
            && call.ArgumentList.Arguments[0].Expression is IdentifierNameSyntax array
            && model.GetSymbolInfo(array).Symbol is ILocalSymbol or IParameterSymbol or IFieldSymbol)
        {
            bool isRented = IsRentedHere(model, member, array) && !statement.Ancestors().Any(static one => one is CatchClauseSyntax);
            yield return new("returned twice", "TARN001", member, statement, After(root, statement, statement.WithoutLeadingTrivia()));
            yield return new(
                "used after its return", "TARN002", member, statement,
                After(root, statement, SyntaxFactory.ParseStatement($"_ = {array.Identifier.Text}[0];")));
            if (isRented)
            {
                foreach (Mutant lost in OfEnd(model, root, member, statement))
                {
                    yield return lost;
                }
            }
        }
        else if (callee is { Name: "Dispose", Parameters.Length: 0 }
            && call.Expression is MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax owner }
            && IsOwner(model.GetTypeInfo(owner).Type)
            && IsRentedHere(model, member, owner))
        {
            foreach (Mutant lost in OfEnd(model, root, member, statement))
            {
                yield return lost;
            }
        }
    }

    /// <summary>The statement that ends the life of a buffer is gone, or not reached.</summary>
    private static IEnumerable<Mutant> OfEnd(SemanticModel model, SyntaxNode root, SyntaxNode member, StatementSyntax statement)
    {
        yield return new("not returned", "TARN011", member, statement, root.ReplaceNode(statement, Nothing(statement)));
        if (EarlyExit(model, statement) is { } exit)
        {
            yield return new("early exit", "TARN011", member, statement, Before(root, statement, exit));
        }
    }

    private static IEnumerable<Mutant> OfDeclaration(
        SemanticModel model, SyntaxNode root, SyntaxNode member, LocalDeclarationStatementSyntax declaration)
    {
        if (!declaration.UsingKeyword.IsKind(SyntaxKind.None)
            && declaration.AwaitKeyword.IsKind(SyntaxKind.None)
            && declaration.Declaration.Variables is [{ Initializer.Value: { } value }]
            && IsOwner(model.GetTypeInfo(value).Type)
            && value is InvocationExpressionSyntax)
        {
            LocalDeclarationStatementSyntax plain = declaration.WithUsingKeyword(default).WithLeadingTrivia(declaration.GetLeadingTrivia());
            yield return new("using removed", "TARN011", member, declaration, root.ReplaceNode(declaration, plain));
        }
    }

    /// <summary>A callee reads a slice: it gets the whole array instead.</summary>
    private static IEnumerable<Mutant> OfSlice(
        SemanticModel model, SyntaxNode root, SyntaxNode member, InvocationExpressionSyntax slice)
    {
        if (slice.Expression is MemberAccessExpressionSyntax
            {
                Name.Identifier.Text: "AsSpan" or "AsMemory",
                Expression: IdentifierNameSyntax array,
            }
            && slice.ArgumentList.Arguments is [{ Expression: LiteralExpressionSyntax { Token.Value: 0 } }, _]
            && model.GetTypeInfo(slice).ConvertedType?.Name is "ReadOnlySpan" or "ReadOnlyMemory"
            && IsRentedHere(model, member, array))
        {
            InvocationExpressionSyntax whole = slice.WithArgumentList(SyntaxFactory.ArgumentList());
            yield return new("read to its whole length", "TARN007", member, slice, root.ReplaceNode(slice, whole));
        }
    }

    private static IEnumerable<Mutant> OfRent(
        SemanticModel model, SyntaxNode root, SyntaxNode member, InvocationExpressionSyntax rent)
    {
        if (IsRent(model, rent)
            && rent.Parent is EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax variable }
            && model.GetTypeInfo(rent).Type is IArrayTypeSymbol { ElementType: { } element }
            && member.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call =>
                IsReturn(model, call)
                && call.ArgumentList.Arguments[0].Expression is IdentifierNameSyntax name
                && name.Identifier.Text == variable.Identifier.Text))
        {
            string text = $"new {element.ToMinimalDisplayString(model, rent.SpanStart)}[{rent.ArgumentList.Arguments[0].Expression}]";
            yield return new(
                "not rented", "TARN008", member, rent, root.ReplaceNode(rent, SyntaxFactory.ParseExpression(text).WithTriviaFrom(rent)));
        }
    }

    private static SyntaxNode After(SyntaxNode root, StatementSyntax statement, StatementSyntax added) =>
        root.ReplaceNode(
            statement, [statement.WithTrailingTrivia(SyntaxFactory.Space), added.WithTrailingTrivia(statement.GetTrailingTrivia())]);

    private static SyntaxNode Before(SyntaxNode root, StatementSyntax statement, StatementSyntax added) =>
        root.ReplaceNode(
            statement,
            [
                added.WithLeadingTrivia(statement.GetLeadingTrivia()).WithTrailingTrivia(SyntaxFactory.Space),
                statement.WithoutLeadingTrivia(),
            ]);

    private static EmptyStatementSyntax Nothing(StatementSyntax statement) =>
        SyntaxFactory.EmptyStatement().WithTriviaFrom(statement);

    /// <summary>
    /// A return in front of a statement; null in a finally block, which no return leaves, and where a finally block follows.
    /// </summary>
    private static StatementSyntax? EarlyExit(SemanticModel model, StatementSyntax statement)
    {
        if (statement.Ancestors().TakeWhile(static one => one is not (MemberDeclarationSyntax or AnonymousFunctionExpressionSyntax
            or LocalFunctionStatementSyntax)).Any(static one => one is FinallyClauseSyntax or CatchClauseSyntax)
            || statement.Ancestors().OfType<TryStatementSyntax>().Any(static one => one.Finally is not null)
            || model.GetEnclosingSymbol(statement.SpanStart) is not IMethodSymbol { RefKind: RefKind.None } method)
        {
            return null;
        }

        bool hasValue = method switch
        {
            { ReturnsVoid: true } => false,
            { IsAsync: true, ReturnType: INamedTypeSymbol { IsGenericType: false } } => false,
            _ => true,
        };
        bool isIterator = statement.Ancestors().First(static one => one is MemberDeclarationSyntax or LocalFunctionStatementSyntax)
            .DescendantNodes().Any(static one => one is YieldStatementSyntax);
        return isIterator
            ? SyntaxFactory.ParseStatement("if (System.Environment.TickCount == 42) { yield break; }")
            : SyntaxFactory.ParseStatement($"if (System.Environment.TickCount == 42) {{ return{(hasValue ? " default!" : "")}; }}");
    }

    /// <summary>Whether a name is a local variable that the member fills with a rent and with nothing else.</summary>
    private static bool IsRentedHere(SemanticModel model, SyntaxNode member, IdentifierNameSyntax name) =>
        model.GetSymbolInfo(name).Symbol is ILocalSymbol local
        && local.DeclaringSyntaxReferences is [var reference]
        && reference.GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: { } value }
        && IsRent(model, value)
        && !member.DescendantNodes().OfType<AssignmentExpressionSyntax>().Any(assignment =>
            assignment.Left is IdentifierNameSyntax left && left.Identifier.Text == local.Name
            || assignment.Right is IdentifierNameSyntax right && right.Identifier.Text == local.Name);

    internal static bool IsRent(SemanticModel model, ExpressionSyntax value) =>
        value is InvocationExpressionSyntax call
        && Callee(model, call) is { Name: "Rent" } callee
        && IsPool(callee.ContainingType);

    internal static bool IsReturn(SemanticModel model, InvocationExpressionSyntax call) =>
        Callee(model, call) is { Name: "Return" } callee && IsPool(callee.ContainingType);

    private static IMethodSymbol? Callee(SemanticModel model, InvocationExpressionSyntax call) =>
        model.GetSymbolInfo(call).Symbol as IMethodSymbol;

    private static bool IsPool(INamedTypeSymbol type) =>
        type.OriginalDefinition.ToDisplayString() is "System.Buffers.ArrayPool<T>" or "System.Buffers.MemoryPool<T>";

    private static bool IsOwner(ITypeSymbol? type) =>
        type?.OriginalDefinition.ToDisplayString() == "System.Buffers.IMemoryOwner<T>";
}
