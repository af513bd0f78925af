using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;

namespace Tarn.CodeFixes.Reading;

/// <summary>Rewrites methods that return tasks into async methods.</summary>
internal static class AsyncMethods
{
    internal static bool IsTask(INamedTypeSymbol type) =>
        type is { Name: "Task" or "ValueTask", ContainingNamespace: { Name: "Tasks", ContainingNamespace: var threading } }
        && threading is { Name: "Threading", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } };

    internal static bool IsAsync(SyntaxNode method) => method switch
    {
        MethodDeclarationSyntax declaration => declaration.Modifiers.Any(SyntaxKind.AsyncKeyword),
        LocalFunctionStatementSyntax function => function.Modifiers.Any(SyntaxKind.AsyncKeyword),
        _ => false,
    };

    /// <summary>Awaits every task that the method returned.</summary>
    /// <param name="method">The method or local function.</param>
    /// <param name="result">The task that it returns.</param>
    /// <param name="rewritten">A return statement that was already rewritten.</param>
    /// <param name="editor">The editor that receives the changes.</param>
    internal static void MakeAsync(SyntaxNode method, INamedTypeSymbol result, ReturnStatementSyntax? rewritten, SyntaxEditor editor)
    {
        foreach (SyntaxNode node in Bodies.NodesOf(method).ToArray())
        {
            if (node is ArrowExpressionClauseSyntax arrow && arrow.Parent == method)
            {
                editor.ReplaceNode(arrow.Expression, Await(arrow.Expression));
            }
            else if (node is ReturnStatementSyntax { Expression: { } task } leaving && leaving != rewritten)
            {
                Replace(leaving, task, result.IsGenericType, editor);
            }
        }

        editor.SetModifiers(method, editor.Generator.GetModifiers(method).WithAsync(true));
    }

    /// <summary>Returns whether the method ends with the statement, so that a return in its place would be redundant.</summary>
    internal static bool IsFinal(StatementSyntax statement) => statement.Parent switch
    {
        BlockSyntax block => block.Statements.Last() == statement && IsFinalBlock(block),
        IfStatementSyntax choice => IsFinal(choice),
        ElseClauseSyntax { Parent: IfStatementSyntax choice } => IsFinal(choice),
        UsingStatementSyntax scope => IsFinal(scope),
        _ => false,
    };

    private static bool IsFinalBlock(BlockSyntax block) => block.Parent switch
    {
        MethodDeclarationSyntax or LocalFunctionStatementSyntax => true,
        CatchClauseSyntax { Parent: TryStatementSyntax tried } => IsFinal(tried),
        ElseClauseSyntax { Parent: IfStatementSyntax choice } => IsFinal(choice),
        TryStatementSyntax or UsingStatementSyntax or IfStatementSyntax or FixedStatementSyntax or BlockSyntax =>
            IsFinal((StatementSyntax)block.Parent),
        _ => false,
    };

    private static void Replace(ReturnStatementSyntax leaving, ExpressionSyntax task, bool hasResult, SyntaxEditor editor)
    {
        if (hasResult)
        {
            editor.ReplaceNode(task, ResultOf(task) ?? Await(task));
            return;
        }

        StatementSyntax wait = SyntaxFactory.ExpressionStatement(Await(task.WithoutTrivia()))
            .WithAdditionalAnnotations(Formatter.Annotation);
        StatementSyntax end = SyntaxFactory.ReturnStatement().WithAdditionalAnnotations(Formatter.Annotation);
        if (IsDone(task))
        {
            editor.ReplaceNode(leaving, end.WithTriviaFrom(leaving));
        }
        else if (IsFinal(leaving))
        {
            editor.ReplaceNode(leaving, wait.WithTriviaFrom(leaving));
        }
        else if (leaving.Parent is BlockSyntax or SwitchSectionSyntax)
        {
            editor.InsertBefore(leaving, wait.WithLeadingTrivia(leaving.GetLeadingTrivia()));
            editor.ReplaceNode(leaving, end.WithTrailingTrivia(leaving.GetTrailingTrivia()));
        }
        else
        {
            editor.ReplaceNode(
                leaving,
                SyntaxFactory.Block(wait, end).WithTriviaFrom(leaving).WithAdditionalAnnotations(Formatter.Annotation));
        }
    }

    /// <summary>Returns the result of a task of the form <c>Task.FromResult(x)</c>.</summary>
    private static ExpressionSyntax? ResultOf(ExpressionSyntax task) =>
        task is InvocationExpressionSyntax { ArgumentList.Arguments: [{ Expression: var result }] } call
        && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "FromResult" }
            ? result
            : null;

    private static bool IsDone(ExpressionSyntax task) =>
        task is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "CompletedTask" }
            or LiteralExpressionSyntax { RawKind: (int)SyntaxKind.DefaultLiteralExpression };

    private static AwaitExpressionSyntax Await(ExpressionSyntax task)
    {
        ExpressionSyntax operand = task.WithoutTrivia();
        if (operand is not (InvocationExpressionSyntax or IdentifierNameSyntax or MemberAccessExpressionSyntax
            or BaseObjectCreationExpressionSyntax or ElementAccessExpressionSyntax or ParenthesizedExpressionSyntax))
        {
            operand = SyntaxFactory.ParenthesizedExpression(operand);
        }

        return SyntaxFactory.AwaitExpression(operand).WithTriviaFrom(task).WithAdditionalAnnotations(Formatter.Annotation);
    }
}
