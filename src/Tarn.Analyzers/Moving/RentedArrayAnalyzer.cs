using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Moving;

/// <summary>Finds arrays of a shared pool that a method rents, uses in a try block and returns in its finally block.</summary>
/// <remarks>
/// A lease lives on the stack, so nothing is reported where the method awaits or yields before the return, or where another function uses
/// the array. Nor where code needs the array itself: the lease's array is as easy to keep as the rented one was.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class RentedArrayAnalyzer : DiagnosticAnalyzer
{
    /// <summary>C# 13, the first version with variables on the stack in methods that await or yield elsewhere.</summary>
    private const int CSharp13 = 1300;

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(MovingRules.Lease);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (SharedPools.TryCreate(start.Compilation) is { } pools)
            {
                start.RegisterSyntaxNodeAction(context => Check(context, pools), SyntaxKind.LocalDeclarationStatement);
            }
        });
    }

    private static void Check(SyntaxNodeAnalysisContext context, SharedPools pools)
    {
        LocalDeclarationStatementSyntax statement = (LocalDeclarationStatementSyntax)context.Node;
        if (statement.Parent is BlockSyntax block
            && statement is { UsingKeyword.RawKind: 0, AwaitKeyword.RawKind: 0, Declaration.Variables: { Count: 1 } declarators }
            && declarators[0] is { Initializer.Value: InvocationExpressionSyntax { ArgumentList.Arguments.Count: 1 } rent } declarator
            && IsCallOf("Rent", rent, context, pools)
            && context.SemanticModel.GetDeclaredSymbol(declarator, context.CancellationToken) is ILocalSymbol local
            && FindReturn(block, statement, local, context, pools) is (var tried, var given)
            && !HasDirectivesOrComments(tried, given)
            && StaysOnTheStack(block, statement, tried, context)
            && IsUsedAsSpan(local, statement, tried, given, context))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                MovingRules.Lease.WithPage(context.Options), rent.GetLocation(), [given.GetLocation()], local.Name));
        }
    }

    private static bool IsCallOf(
        string name, InvocationExpressionSyntax call, SyntaxNodeAnalysisContext context, SharedPools pools) =>
        call.Expression is MemberAccessExpressionSyntax access
        && access.Name.Identifier.ValueText == name
        && pools.ElementOfAny(access.Expression, context.SemanticModel, context.CancellationToken) is not null;

    /// <summary>Returns the try statement of the same block whose finally block returns the array, and that return.</summary>
    private static (TryStatementSyntax Tried, ExpressionStatementSyntax Given)? FindReturn(
        BlockSyntax block,
        LocalDeclarationStatementSyntax statement,
        ILocalSymbol local,
        SyntaxNodeAnalysisContext context,
        SharedPools pools)
    {
        foreach (TryStatementSyntax tried in block.Statements.Skip(block.Statements.IndexOf(statement) + 1).OfType<TryStatementSyntax>())
        {
            ExpressionStatementSyntax? given = tried.Finally?.Block.Statements.OfType<ExpressionStatementSyntax>()
                .FirstOrDefault(one => one.Expression is InvocationExpressionSyntax call
                    && IsCallOf("Return", call, context, pools)
                    && call.ArgumentList.Arguments is { Count: > 0 } arguments
                    && arguments[0] is { Expression: IdentifierNameSyntax name, NameColon: null }
                    && name.Identifier.ValueText == local.Name
                    && arguments.Skip(1).All(static other => other.Expression.IsKind(SyntaxKind.FalseLiteralExpression)));
            if (given is not null)
            {
                return (tried, given);
            }
        }

        return null;
    }

    /// <summary>Returns whether the fix would have to drop or move a comment or a directive.</summary>
    private static bool HasDirectivesOrComments(TryStatementSyntax tried, ExpressionStatementSyntax given) =>
        tried.ContainsDirectives
        || tried.Block.OpenBraceToken.LeadingTrivia.Concat(tried.Block.CloseBraceToken.TrailingTrivia).Any(IsComment)
        || tried.Finally!.FinallyKeyword.LeadingTrivia.Concat(given.GetLeadingTrivia()).Concat(given.GetTrailingTrivia()).Any(IsComment)
        || tried.Finally.Block.OpenBraceToken.GetAllTrivia().Concat(tried.Finally.Block.CloseBraceToken.LeadingTrivia).Any(IsComment);

    private static bool IsComment(SyntaxTrivia trivia) =>
        !trivia.IsKind(SyntaxKind.WhitespaceTrivia) && !trivia.IsKind(SyntaxKind.EndOfLineTrivia);

    /// <summary>Returns whether a lease in place of the array would never live across an await or a yield.</summary>
    private static bool StaysOnTheStack(
        BlockSyntax block, LocalDeclarationStatementSyntax statement, TryStatementSyntax tried, SyntaxNodeAnalysisContext context)
    {
        int first = block.Statements.IndexOf(statement);
        int last = block.Statements.IndexOf(tried);
        bool isLast = last == block.Statements.Count - 1;
        return (isLast || last == first + 1)
            && !block.Statements.Skip(first).Take(last - first + 1).Any(LocalNames.Suspends)
            && (((CSharpParseOptions)block.SyntaxTree.Options).LanguageVersion >= (LanguageVersion)CSharp13
                || !LocalNames.Suspends(LocalNames.MethodOf(block)));
    }

    /// <summary>Returns whether a span can take the array's place: all uses are in the try statement, and mean the same for one.</summary>
    private static bool IsUsedAsSpan(
        ILocalSymbol local,
        LocalDeclarationStatementSyntax statement,
        TryStatementSyntax tried,
        ExpressionStatementSyntax given,
        SyntaxNodeAnalysisContext context)
    {
        SyntaxNode method = LocalNames.MethodOf(statement);
        return LocalNames.Of(local, method, context.SemanticModel, context.CancellationToken).All(name =>
            given.Span.Contains(name.Span)
            || (name.SpanStart < tried.Finally!.SpanStart
                && LocalNames.MethodOf(name) == method
                && !IsPartOfTask(name, context)
                && (IsUseOfSpan(name) || SpanOverloads.FindRange(name, context.SemanticModel, context.CancellationToken) is not null)));
    }

    /// <summary>Returns whether a call that starts a task gets the array: the task may use it after the lease has ended.</summary>
    private static bool IsPartOfTask(IdentifierNameSyntax name, SyntaxNodeAnalysisContext context) =>
        name.Ancestors().TakeWhile(static outer => outer is not StatementSyntax).OfType<InvocationExpressionSyntax>().Any(call =>
            context.SemanticModel.GetTypeInfo(call, context.CancellationToken).Type is { Name: "Task" or "ValueTask" });

    /// <summary>Returns whether an expression means the same for a span, however long the array is.</summary>
    private static bool IsUseOfSpan(IdentifierNameSyntax name) => name.Parent switch
    {
        ElementAccessExpressionSyntax { ArgumentList.Arguments.Count: 1 } access =>
            access.Expression == name
            && access.ArgumentList.Arguments[0].Expression is var index
            && index is not RangeExpressionSyntax
            && !index.IsKind(SyntaxKind.IndexExpression),
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "AsSpan", Parent: InvocationExpressionSyntax call } access =>
            access.Expression == name && call.ArgumentList.Arguments.Count == 2,
        _ => false,
    };
}
