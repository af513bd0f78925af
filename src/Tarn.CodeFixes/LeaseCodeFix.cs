using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>
/// Returns a local buffer at the end of its block: an owner through a using declaration, an array through a lease of Tarn or, where code
/// needs the array itself, in a finally block.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(LeaseCodeFix))]
public sealed class LeaseCodeFix : BufferCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public LeaseCodeFix()
        : base(RuleIds.NotReturned)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression is not InvocationExpressionSyntax { Parent: EqualsValueClauseSyntax assigned } rent
            || assigned.Parent is not VariableDeclaratorSyntax declarator
            || declarator.Parent is not VariableDeclarationSyntax { Variables.Count: 1 } declaration
            || declaration.Parent is not LocalDeclarationStatementSyntax { UsingKeyword.RawKind: 0 } statement
            || Bodies.StatementOf(statement) is not { } place
            || statement.Parent is not BlockSyntax
            || request.Model.GetDeclaredSymbol(declarator, request.Cancellation) is not ILocalSymbol buffer
            || Variables.WritesOf(buffer, Bodies.MethodOf(statement), request).Any()
            || Variables.IsCaptured(buffer, Bodies.MethodOf(statement), request))
        {
            return [];
        }

        return buffer.Type switch
        {
            IArrayTypeSymbol { Rank: 1 } array =>
                Lease(rent, statement, buffer, array, place.List, request)
                    .Concat(ReturnInFinally.Propose(rent, statement, buffer, request)),
            _ when IsDisposable(buffer.Type) => [DeclareUsing(statement, request)],
            _ => [],
        };
    }

    private static bool IsDisposable(ITypeSymbol type) =>
        type.SpecialType == SpecialType.System_IDisposable
        || type.AllInterfaces.Any(static one => one.SpecialType == SpecialType.System_IDisposable);

    private static ProposedFix DeclareUsing(LocalDeclarationStatementSyntax statement, FixRequest request)
    {
        LocalDeclarationStatementSyntax changed = statement.WithoutLeadingTrivia()
            .WithUsingKeyword(SyntaxFactory.Token(SyntaxKind.UsingKeyword).WithTrailingTrivia(SyntaxFactory.Space))
            .WithLeadingTrivia(statement.GetLeadingTrivia());
        return new ProposedFix("Dispose the owner at the end of the block", request.Root.ReplaceNode(statement, changed));
    }

    private static IEnumerable<ProposedFix> Lease(
        InvocationExpressionSyntax rent,
        LocalDeclarationStatementSyntax statement,
        ILocalSymbol buffer,
        IArrayTypeSymbol array,
        SyntaxList<StatementSyntax> list,
        FixRequest request)
    {
        if (request.Model.Compilation.GetTypeByMetadataName("Tarn.BufferPool`1") is null
            || rent.ArgumentList.Arguments is not [{ Expression: var length }]
            || rent.Expression is not MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Rent", Expression: var pool }
            || pool is not MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Shared" }
            || list.Where(other => other.SpanStart > statement.SpanStart).Any(Bodies.Suspends))
        {
            yield break;
        }

        string element = array.ElementType.ToMinimalDisplayString(request.Model, statement.SpanStart);
        string lease = Variables.NewName("lease", statement, request);
        SyntaxEditor editor = request.Edit();
        editor.InsertBefore(
            statement,
            NewCode.StatementWithNames($"using var {lease} = Tarn.BufferPool<{element}>.Shared.Lease({length});")
                .WithLeadingTrivia(statement.GetLeadingTrivia()));
        editor.ReplaceNode(
            statement,
            NewCode.StatementWithNames($"System.Span<{element}> {buffer.Name} = {lease}.Span;")
                .WithTrailingTrivia(statement.GetTrailingTrivia()));
        IEnumerable<ExpressionStatementSyntax> statements = list.SelectMany(Bodies.NodesOf).OfType<ExpressionStatementSyntax>();
        foreach (StatementSyntax given in statements.Where(given => ReturnInFinally.IsReturn(given, buffer, request)))
        {
            if (Bodies.StatementOf(given) is null)
            {
                yield break;
            }

            editor.RemoveNode(given, SyntaxRemoveOptions.KeepUnbalancedDirectives);
        }

        yield return new ProposedFix("Lease the buffer until the end of the block", editor.GetChangedRoot());
    }
}
