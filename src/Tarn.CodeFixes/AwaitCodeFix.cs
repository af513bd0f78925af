using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Awaits the task that uses a buffer before the buffer is returned, and makes the method async if necessary.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(AwaitCodeFix))]
public sealed class AwaitCodeFix : BufferCodeFix
{
    private const string Title = "Await the task before the buffer is returned";

    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public AwaitCodeFix()
        : base(RuleIds.ReturnedWhileInUse)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression is not { } site
            || Bodies.MethodOf(site) is not (MethodDeclarationSyntax or LocalFunctionStatementSyntax) and not null)
        {
            yield break;
        }

        SyntaxNode method = Bodies.MethodOf(site);
        if (HasStructOfStack(method, request))
        {
            yield break;
        }

        SyntaxEditor editor = request.Edit();
        bool isReturned = site.Parent is ReturnStatementSyntax or ArrowExpressionClauseSyntax;
        if (isReturned && site is IdentifierNameSyntax)
        {
            // The finding at the place where the buffer is returned has the fix.
            yield break;
        }

        ReturnStatementSyntax? rewritten = null;
        if (!isReturned && !TryWaitBefore(site, request, editor, out rewritten))
        {
            yield break;
        }

        if (!AsyncMethods.IsAsync(method))
        {
            if (request.Model.GetDeclaredSymbol(method, request.Cancellation) is not IMethodSymbol { ReturnType: INamedTypeSymbol result }
                || !AsyncMethods.IsTask(result))
            {
                yield break;
            }

            AsyncMethods.MakeAsync(method, result, rewritten, editor);
        }
        else if (isReturned)
        {
            yield break;
        }

        yield return new ProposedFix(Title, editor.GetChangedRoot());
    }

    /// <summary>
    /// Returns whether a method declares a struct that lives on the stack, such as a lease. None lives across a wait, and the compiler says
    /// so only when it emits code.
    /// </summary>
    private static bool HasStructOfStack(SyntaxNode method, FixRequest request) =>
        Bodies.NodesOf(method).OfType<VariableDeclaratorSyntax>().Any(declarator =>
            request.Model.GetDeclaredSymbol(declarator, request.Cancellation) is ILocalSymbol { Type.IsRefLikeType: true });

    /// <summary>Inserts the wait for the task before the return of the buffer; returns false if that is not clearly possible.</summary>
    private static bool TryWaitBefore(ExpressionSyntax site, FixRequest request, SyntaxEditor editor, out ReturnStatementSyntax? rewritten)
    {
        rewritten = null;
        if (site.Parent is not ExpressionStatementSyntax given
            || Bodies.StatementOf(given) is not { } place
            || request.Other is null
            || BufferOf(site, request) is not { } buffer)
        {
            return false;
        }

        int at = place.List.IndexOf(given);
        for (int i = at - 1; i >= 0; i--)
        {
            StatementSyntax statement = place.List[i];
            if (!Variables.IsNamedIn(buffer, statement, request))
            {
                continue;
            }

            switch (statement)
            {
                case ExpressionStatementSyntax { Expression: var started } dropped when TaskIn(started, request) is { } task:
                    editor.ReplaceNode(dropped, NewCode.Statement($"await {task.WithoutTrivia()};").WithTriviaFrom(dropped));
                    return true;
                case LocalDeclarationStatementSyntax { Declaration.Variables: [{ Initializer.Value: var started } declarator] }
                    when TaskIn(started, request) is not null
                        && request.Model.GetDeclaredSymbol(declarator, request.Cancellation) is ILocalSymbol task:
                    return TryMoveBehind(task, given, place.List, at, request, editor, out rewritten);
            }
        }

        return false;
    }

    /// <summary>Moves the return of the buffer after the statement that awaits the task or returns it to the caller.</summary>
    private static bool TryMoveBehind(
        ILocalSymbol task,
        ExpressionStatementSyntax given,
        SyntaxList<StatementSyntax> list,
        int at,
        FixRequest request,
        SyntaxEditor editor,
        out ReturnStatementSyntax? rewritten)
    {
        rewritten = null;
        for (int i = at + 1; i < list.Count; i++)
        {
            StatementSyntax statement = list[i];
            if (!Variables.IsNamedIn(task, statement, request))
            {
                if (Bodies.CanLeave(statement))
                {
                    return false;
                }

                continue;
            }

            if (statement is ReturnStatementSyntax { Expression: { } result } leaving)
            {
                rewritten = leaving;
                return TryReturnLater(task, result, leaving, given, request, editor);
            }

            bool isAwaited = statement is ExpressionStatementSyntax or LocalDeclarationStatementSyntax
                && statement.DescendantNodes().OfType<AwaitExpressionSyntax>().Any(wait => Variables.IsNamedIn(task, wait, request));
            if (isAwaited)
            {
                editor.InsertAfter(statement, NewCode.Statement(given.WithoutTrivia().ToString()));
                editor.RemoveNode(given, SyntaxRemoveOptions.KeepUnbalancedDirectives);
            }

            return isAwaited;
        }

        return false;
    }

    private static bool TryReturnLater(
        ILocalSymbol task,
        ExpressionSyntax result,
        ReturnStatementSyntax leaving,
        ExpressionStatementSyntax given,
        FixRequest request,
        SyntaxEditor editor)
    {
        bool isAwaited = result is AwaitExpressionSyntax;
        if (!isAwaited && result is not IdentifierNameSyntax)
        {
            return false;
        }

        string wait = isAwaited ? result.WithoutTrivia().ToString() : $"await {result.WithoutTrivia()}";
        string back = given.WithoutTrivia().ToString();
        if (task.Type is INamedTypeSymbol { IsGenericType: true })
        {
            string local = Variables.NewName("result", leaving, request);
            editor.InsertBefore(leaving, NewCode.Statement($"var {local} = {wait};"));
            editor.InsertBefore(leaving, NewCode.Statement(back));
            editor.ReplaceNode(leaving, NewCode.Statement($"return {local};").WithTriviaFrom(leaving));
        }
        else
        {
            editor.InsertBefore(leaving, NewCode.Statement($"{wait};"));
            editor.ReplaceNode(leaving, NewCode.Statement(back).WithTriviaFrom(leaving));
        }

        editor.RemoveNode(given, SyntaxRemoveOptions.KeepUnbalancedDirectives);
        return AsyncMethods.IsFinal(leaving) || task.Type is INamedTypeSymbol { IsGenericType: true };
    }

    /// <summary>Returns the call whose task is dropped: a statement of its own, or assigned to a discard.</summary>
    private static ExpressionSyntax? TaskIn(ExpressionSyntax expression, FixRequest request)
    {
        ExpressionSyntax task =
            expression is AssignmentExpressionSyntax { Left: IdentifierNameSyntax { Identifier.ValueText: "_" }, Right: var right }
                ? right
                : expression;
        return task is InvocationExpressionSyntax
            && request.Model.GetTypeInfo(task, request.Cancellation).Type is INamedTypeSymbol type
            && AsyncMethods.IsTask(type)
            ? task
            : null;
    }

    private static ISymbol? BufferOf(ExpressionSyntax site, FixRequest request) => site switch
    {
        InvocationExpressionSyntax
        {
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Dispose", Expression: IdentifierNameSyntax owner },
        } => request.SymbolOf(owner),
        InvocationExpressionSyntax { ArgumentList.Arguments: [{ Expression: IdentifierNameSyntax name }, ..] } => request.SymbolOf(name),
        _ => null,
    };
}
