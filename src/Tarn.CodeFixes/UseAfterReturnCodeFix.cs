using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Moves the return after the last use, where both are in one list of statements that runs to its end.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(UseAfterReturnCodeFix))]
public sealed class UseAfterReturnCodeFix : BufferCodeFix
{
    private const string Title = "Return the buffer after its last use";

    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public UseAfterReturnCodeFix()
        : base(RuleIds.UseAfterReturn)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.Other?.Parent is ExpressionStatementSyntax { Expression: InvocationExpressionSyntax call } given
            && Bodies.MethodOf(given) == Bodies.MethodOf(request.Site)
            && Bodies.StatementOf(given) is { } place
            && BufferOf(call) is IdentifierNameSyntax name
            && request.SymbolOf(name) is { Kind: SymbolKind.Local or SymbolKind.Parameter } buffer
            && FindLastUse(buffer, given, place.List, request) is { } end
            && Move(given, end, request) is { } root)
        {
            yield return new ProposedFix(Title, root);
        }
    }

    /// <summary>
    /// Returns the last statement of the list that uses the buffer; null where something in between may end the method or change the
    /// variable.
    /// </summary>
    private static StatementSyntax? FindLastUse(
        ISymbol buffer, ExpressionStatementSyntax given, SyntaxList<StatementSyntax> list, FixRequest request)
    {
        int from = list.IndexOf(given);
        HashSet<ISymbol> views = ViewsOf(buffer, list, request);
        int last = LastUse(list, from, views, request);
        int site = Bodies.PlaceIn(list, request.Site);
        if (site <= from || site > last || views.Any(view => Variables.IsCaptured(view, Bodies.MethodOf(given), request)))
        {
            return null;
        }

        StatementSyntax[] passed = [.. list.Skip(from + 1).Take(last - from)];
        bool isPlain = !passed.Any(statement =>
                statement is LocalFunctionStatementSyntax || Variables.WritesOf(buffer, statement, request).Any())
            && !passed.Take(passed.Length - 1).Any(Bodies.CanLeave);
        return isPlain ? list[last] : null;
    }

    /// <summary>
    /// Returns the file with the return moved after a statement. Where the statement returns a value, the value is computed first and the
    /// buffer is returned next.
    /// </summary>
    private static SyntaxNode? Move(ExpressionStatementSyntax given, StatementSyntax end, FixRequest request)
    {
        SyntaxEditor editor = request.Edit();
        editor.RemoveNode(given, SyntaxRemoveOptions.KeepUnbalancedDirectives);
        if (end is ReturnStatementSyntax { Expression: { } result }
            && !IsView(request.Model.GetTypeInfo(result, request.Cancellation).Type))
        {
            string local = Variables.NewName("result", end, request);
            editor.InsertBefore(end, NewCode.Statement($"var {local} = {result.WithoutTrivia()};"));
            editor.InsertBefore(end, NewCode.Statement(given));
            editor.ReplaceNode(result, SyntaxFactory.IdentifierName(local));
            return editor.GetChangedRoot();
        }

        if (Bodies.CanLeave(end))
        {
            return null;
        }

        editor.InsertAfter(end, NewCode.Statement(given));
        return editor.GetChangedRoot();
    }

    private static ExpressionSyntax? BufferOf(InvocationExpressionSyntax call) => call switch
    {
        { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Commit" or "Pass", Expression: var message } } => message,
        { ArgumentList.Arguments: [{ Expression: var argument }, ..] } => argument,
        { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Dispose", Expression: var owner } } => owner,
        _ => null,
    };

    /// <summary>Returns the variable and the locals derived from it that can expose its memory.</summary>
    private static HashSet<ISymbol> ViewsOf(ISymbol buffer, SyntaxList<StatementSyntax> list, FixRequest request)
    {
        HashSet<ISymbol> views = new(SymbolEqualityComparer.Default) { buffer };
        int count;
        do
        {
            count = views.Count;
            foreach (VariableDeclaratorSyntax declarator in list.SelectMany(Bodies.NodesOf).OfType<VariableDeclaratorSyntax>())
            {
                if (declarator.Initializer is { } initializer
                    && request.Model.GetDeclaredSymbol(declarator, request.Cancellation) is ILocalSymbol local
                    && IsView(local.Type)
                    && views.Any(view => Variables.IsNamedIn(view, initializer, request)))
                {
                    views.Add(local);
                }
            }
        }
        while (views.Count > count);

        return views;
    }

    /// <summary>
    /// Returns whether a value of the type may expose the memory it was derived from. Numbers, characters and strings do not.
    /// </summary>
    private static bool IsView(ITypeSymbol? type) =>
        type is null or { SpecialType: SpecialType.None, TypeKind: not TypeKind.Enum };

    private static int LastUse(SyntaxList<StatementSyntax> list, int from, HashSet<ISymbol> views, FixRequest request)
    {
        for (int i = list.Count - 1; i > from; i--)
        {
            if (views.Any(view => Variables.IsNamedIn(view, list[i], request)))
            {
                return i;
            }
        }

        return -1;
    }
}
