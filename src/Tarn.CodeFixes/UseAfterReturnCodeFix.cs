using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>The return is made after the last use, where both stand in one list of statements that is run to its end.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(UseAfterReturnCodeFix))]
public sealed class UseAfterReturnCodeFix : BufferCodeFix
{
    private const string Title = "Return the buffer after its last use";

    /// <summary>Made by the host.</summary>
    public UseAfterReturnCodeFix()
        : base(RuleIds.UseAfterReturn)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.Other?.Parent is not ExpressionStatementSyntax { Expression: InvocationExpressionSyntax call } given
            || Bodies.MethodOf(given) != Bodies.MethodOf(request.Site)
            || Bodies.StatementOf(given) is not { } place
            || BufferOf(call) is not IdentifierNameSyntax name
            || request.SymbolOf(name) is not (ILocalSymbol or IParameterSymbol) and not null
            || request.SymbolOf(name) is not { } buffer)
        {
            yield break;
        }

        int from = place.List.IndexOf(given);
        HashSet<ISymbol> views = ViewsOf(buffer, place.List, request);
        int last = LastUse(place.List, from, views, request);
        if (last <= from
            || Bodies.PlaceIn(place.List, request.Site) is var site && (site <= from || site > last)
            || views.Any(view => Variables.IsCaptured(view, Bodies.MethodOf(given), request))
            || place.List.Skip(from + 1).Take(last - from).Any(statement => IsWrittenIn(statement, buffer, request) || statement is LocalFunctionStatementSyntax)
            || place.List.Skip(from + 1).Take(last - from - 1).Any(Bodies.CanLeave))
        {
            yield break;
        }

        StatementSyntax end = place.List[last];
        SyntaxEditor editor = request.Edit();
        if (end is ReturnStatementSyntax { Expression: { } result } leaving)
        {
            string local = Variables.NewName("result", leaving, request);
            editor.InsertBefore(leaving, NewCode.Statement($"var {local} = {result.WithoutTrivia()};"));
            editor.InsertBefore(leaving, NewCode.Statement(given));
            editor.ReplaceNode(result, SyntaxFactory.IdentifierName(local));
            if (IsView(request.Model.GetTypeInfo(result, request.Cancellation).Type))
            {
                yield break;
            }
        }
        else if (!Bodies.CanLeave(end))
        {
            editor.InsertAfter(end, NewCode.Statement(given));
        }
        else
        {
            yield break;
        }

        editor.RemoveNode(given, SyntaxRemoveOptions.KeepUnbalancedDirectives);
        yield return new ProposedFix(Title, editor.GetChangedRoot());
    }

    private static ExpressionSyntax? BufferOf(InvocationExpressionSyntax call) => call switch
    {
        { ArgumentList.Arguments: [{ Expression: var argument }, ..] } => argument,
        { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Dispose", Expression: var owner } } => owner,
        _ => null,
    };

    /// <summary>The variable and the locals that are made of it, so far as they can show its memory.</summary>
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

    /// <summary>Whether a value of the type may still show memory it was made of: a number, a character or a string does not.</summary>
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

    private static bool IsWrittenIn(StatementSyntax statement, ISymbol buffer, FixRequest request) => Variables.WritesOf(buffer, statement, request).Any();
}
