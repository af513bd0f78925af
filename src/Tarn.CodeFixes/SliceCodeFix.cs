using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Uses the requested length of a rented array instead of the whole.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(SliceCodeFix))]
public sealed class SliceCodeFix : BufferCodeFix
{
    private const string Title = "Use the requested length only";

    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public SliceCodeFix()
        : base(RuleIds.Oversized)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        ExpressionSyntax? array = request.SiteExpression;
        if (array is null || RentedLength.Find(request) is not { } length)
        {
            return [];
        }

        if (LengthIn(array) is { } whole)
        {
            string text = length is BinaryExpressionSyntax ? $"({length})" : length.ToString();
            return [Replace(whole, SyntaxFactory.ParseExpression(text), request)];
        }

        return array.Parent switch
        {
            _ when request.Model.GetTypeInfo(array, request.Cancellation).Type is not IArrayTypeSymbol { Rank: 1 } => [],
            ForEachStatementSyntax each when each.Expression == array => [Replace(array, Slice(array, "AsSpan", length), request)],
            ArgumentSyntax { Parent: ArgumentListSyntax { Parent: ExpressionSyntax call } } argument =>
                ReplaceArgument(call, argument, length, request),
            _ => [],
        };
    }

    private static ExpressionSyntax? LengthIn(ExpressionSyntax site) => site switch
    {
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Length" } => site,
        { Parent: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Length" } access } when access.Expression == site => access,
        _ => null,
    };

    /// <summary>Returns calls of the same method, or of an overload, that take only the requested length.</summary>
    private static IEnumerable<ProposedFix> ReplaceArgument(
        ExpressionSyntax call, ArgumentSyntax argument, ExpressionSyntax length, FixRequest request)
    {
        if (request.SymbolOf(call) is not IMethodSymbol method)
        {
            yield break;
        }

        foreach (ExpressionSyntax candidate in CandidatesFor(call, argument, length))
        {
            SymbolInfo bound = request.Model.GetSpeculativeSymbolInfo(call.SpanStart, candidate, SpeculativeBindingOption.BindAsExpression);
            if (bound.Symbol is IMethodSymbol other
                && other.Name == method.Name
                && SymbolEqualityComparer.Default.Equals(other.ContainingType.OriginalDefinition, method.ContainingType.OriginalDefinition)
                && SymbolEqualityComparer.Default.Equals(other.ReturnType, method.ReturnType))
            {
                yield return Replace(call, candidate, request);
            }
        }
    }

    private static IEnumerable<ExpressionSyntax> CandidatesFor(ExpressionSyntax call, ArgumentSyntax argument, ExpressionSyntax length)
    {
        yield return call.ReplaceNode(argument.Expression, Slice(argument.Expression, "AsSpan", length));
        yield return call.ReplaceNode(argument.Expression, Slice(argument.Expression, "AsMemory", length));
        if (argument.Parent is ArgumentListSyntax list && argument.NameColon is null)
        {
            SeparatedSyntaxList<ArgumentSyntax> arguments = list.Arguments.InsertRange(
                list.Arguments.IndexOf(argument) + 1,
                [SyntaxFactory.Argument(SyntaxFactory.ParseExpression("0")), SyntaxFactory.Argument(length)]);
            yield return call.ReplaceNode(list, list.WithArguments(arguments));
        }
    }

    private static ExpressionSyntax Slice(ExpressionSyntax array, string method, ExpressionSyntax length) =>
        SyntaxFactory.ParseExpression($"{array.WithoutTrivia()}.{method}(0, {length})").WithTriviaFrom(array);

    private static ProposedFix Replace(ExpressionSyntax old, ExpressionSyntax replacement, FixRequest request) =>
        new(Title, request.Root.ReplaceNode(old, replacement.WithTriviaFrom(old).WithAdditionalAnnotations(Formatter.Annotation)));
}
