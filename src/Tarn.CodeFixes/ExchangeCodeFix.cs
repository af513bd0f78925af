using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Takes the buffer out of the field by an atomic exchange, so that only one of several calls of Dispose returns it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ExchangeCodeFix))]
public sealed class ExchangeCodeFix : BufferCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public ExchangeCodeFix()
        : base(RuleIds.DisposeReturnsAgain)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression is not InvocationExpressionSyntax { Parent: ExpressionStatementSyntax statement } call
            || call.ArgumentList.Arguments is not [{ Expression: var argument }, ..] rest
            || FieldOf(argument, call, request) is not { } field
            || request.SymbolOf(field) is not IFieldSymbol { IsReadOnly: false, Type.IsReferenceType: true } symbol
            || symbol.ContainingType.IsValueType
            || rest.Skip(1).Any(other => Variables.IsNamedIn(symbol, other, request)))
        {
            yield break;
        }

        StatementSyntax whole = (StatementSyntax?)GuardOf(statement, symbol, request) ?? statement;
        if (whole == statement && argument is IdentifierNameSyntax && request.SymbolOf(argument) is ILocalSymbol)
        {
            yield break;
        }

        string local = Variables.NewName(LocalNameOf(symbol), statement, request);
        string none = symbol.NullableAnnotation == NullableAnnotation.NotAnnotated ? "null!" : "null";
        InvocationExpressionSyntax given = call.ReplaceNode(argument, SyntaxFactory.IdentifierName(local)).WithoutTrivia();
        StatementSyntax taken = NewCode.StatementWithNames(
            $$"""
            if (System.Threading.Interlocked.Exchange(ref {{field.WithoutTrivia()}}, {{none}}) is { } {{local}})
            {
                {{given}};
            }
            """).WithTriviaFrom(whole);
        yield return new ProposedFix($"Take the buffer out of '{symbol.Name}' before returning it", request.Root.ReplaceNode(whole, taken));
    }

    /// <summary>Returns the field that is returned, or that a pattern just before read into a local.</summary>
    private static ExpressionSyntax? FieldOf(ExpressionSyntax argument, SyntaxNode call, FixRequest request)
    {
        while (argument is PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } suppressed)
        {
            argument = suppressed.Operand;
        }

        return request.SymbolOf(argument) switch
        {
            IFieldSymbol => argument,
            ILocalSymbol local => call.Ancestors().OfType<IfStatementSyntax>()
                .Select(static guard => guard.Condition).OfType<IsPatternExpressionSyntax>()
                .FirstOrDefault(matched => DeclaredBy(matched.Pattern) is { } designation
                    && SymbolEqualityComparer.Default.Equals(
                        request.Model.GetDeclaredSymbol(designation, request.Cancellation),
                        local))?.Expression,
            _ => null,
        };
    }

    private static SingleVariableDesignationSyntax? DeclaredBy(PatternSyntax pattern) => pattern switch
    {
        RecursivePatternSyntax { Designation: SingleVariableDesignationSyntax designation } => designation,
        DeclarationPatternSyntax { Designation: SingleVariableDesignationSyntax designation } => designation,
        _ => null,
    };

    /// <summary>Returns the if statement that checks for null and only returns the buffer and clears the field.</summary>
    private static IfStatementSyntax? GuardOf(ExpressionStatementSyntax statement, IFieldSymbol field, FixRequest request)
    {
        if (statement.FirstAncestorOrSelf<IfStatementSyntax>() is not { Else: null } guard
            || !(guard.Condition is IsPatternExpressionSyntax || IsNotNull(guard.Condition))
            || !Variables.IsNamedIn(field, guard.Condition, request)
            || guard.Condition.DescendantNodes().OfType<BinaryExpressionSyntax>().Any())
        {
            return null;
        }

        IEnumerable<StatementSyntax> inner = guard.Statement is BlockSyntax block ? block.Statements : [guard.Statement];
        return inner.All(one => one == statement || IsForgetting(one, field, request)) ? guard : null;
    }

    private static bool IsNotNull(ExpressionSyntax condition) =>
        condition is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression } compared
        && compared.Right.IsKind(SyntaxKind.NullLiteralExpression);

    private static bool IsForgetting(StatementSyntax statement, IFieldSymbol field, FixRequest request) =>
        statement is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax { Left: var target, Right: var value } }
        && SymbolEqualityComparer.Default.Equals(request.SymbolOf(target), field)
        && value.DescendantNodesAndSelf()
            .Any(static node => node.IsKind(SyntaxKind.NullLiteralExpression) || node.IsKind(SyntaxKind.DefaultLiteralExpression));

    private static string LocalNameOf(IFieldSymbol field)
    {
        string name = field.Name.TrimStart('_');
        name = name.Length > 2 && name[1] == '_' ? name.Substring(2) : name;
        name = name.Length > 0 ? char.ToLowerInvariant(name[0]) + name.Substring(1) : "buffer";
        return SyntaxFacts.GetKeywordKind(name) == SyntaxKind.None ? name : "buffer";
    }
}
