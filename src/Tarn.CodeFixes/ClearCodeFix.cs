using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Clears a buffer before it is returned to its pool.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ClearCodeFix))]
public sealed class ClearCodeFix : BufferCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public ClearCodeFix()
        : base(RuleIds.ReferencesUncleared, RuleIds.SecretUncleared)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression is not InvocationExpressionSyntax { ArgumentList.Arguments: [{ Expression: var array }, ..] } call
            || request.SymbolOf(call) is not IMethodSymbol method
            || request.Model.GetTypeInfo(array, request.Cancellation).Type is not IArrayTypeSymbol { ElementType: var element })
        {
            return [];
        }

        return request.RuleId == RuleIds.SecretUncleared
            && element.SpecialType == SpecialType.System_Byte
            && call.Parent is ExpressionStatementSyntax statement
            ? [ZeroBefore(statement, array, request)]
            : ClearByPool(call, method, request);
    }

    /// <summary>Clears the requested bytes in a way that the compiler does not optimize away.</summary>
    private static ProposedFix ZeroBefore(ExpressionStatementSyntax statement, ExpressionSyntax array, FixRequest request)
    {
        string cleared = RentedLength.Find(request) is { } length && array is IdentifierNameSyntax
            ? $"{array}.AsSpan(0, {length})" : array.ToString();
        StatementSyntax zero = NewCode.StatementWithNames($"System.Security.Cryptography.CryptographicOperations.ZeroMemory({cleared});");
        const string title = "Clear the buffer before it is returned";
        if (Bodies.StatementOf(statement) is not null)
        {
            StatementSyntax first = zero.WithLeadingTrivia(statement.GetLeadingTrivia());
            return new ProposedFix(title, request.Root.InsertNodesBefore(statement, [first]));
        }

        BlockSyntax block = SyntaxFactory.Block(zero, statement.WithoutTrivia())
            .WithTriviaFrom(statement)
            .WithAdditionalAnnotations(Formatter.Annotation);
        return new ProposedFix(title, request.Root.ReplaceNode(statement, block));
    }

    private static IEnumerable<ProposedFix> ClearByPool(InvocationExpressionSyntax call, IMethodSymbol method, FixRequest request)
    {
        SeparatedSyntaxList<ArgumentSyntax> arguments = call.ArgumentList.Arguments;
        if (method.Parameters is not [_, { Name: "clearArray", Type.SpecialType: SpecialType.System_Boolean }] || arguments.Count > 2)
        {
            yield break;
        }

        ArgumentSyntax clear = SyntaxFactory.Argument(
            SyntaxFactory.NameColon("clearArray"),
            default,
            SyntaxFactory.ParseExpression("true"));
        if (arguments.Count == 2 && !arguments[1].Expression.IsKind(SyntaxKind.FalseLiteralExpression))
        {
            yield break;
        }

        arguments = arguments.Count == 2 ? arguments.RemoveAt(1).Add(clear) : arguments.Add(clear);
        ArgumentListSyntax list = call.ArgumentList.WithArguments(arguments).WithAdditionalAnnotations(Formatter.Annotation);
        yield return new ProposedFix("Have the pool clear the array", request.Root.ReplaceNode(call.ArgumentList, list));
    }
}
