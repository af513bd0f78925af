using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Returns or stores a copy of the contents, of the requested length, instead of the buffer.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(CopyCodeFix))]
public sealed class CopyCodeFix : BufferCodeFix
{
    private const string Title = "Use a copy of the contents";

    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public CopyCodeFix()
        : base(RuleIds.Escape)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        ExpressionSyntax? given = request.SiteExpression is AssignmentExpressionSyntax assignment
            ? assignment.Right
            : request.SiteExpression;
        if (given is null || !IsComplete(given, request) || CopyOf(given, request) is not { } copy)
        {
            yield break;
        }

        ExpressionSyntax replacement = SyntaxFactory.ParseExpression(copy)
            .WithTriviaFrom(given)
            .WithAdditionalAnnotations(Formatter.Annotation);
        yield return new ProposedFix(Title, request.Root.ReplaceNode(given, replacement));
    }

    /// <summary>
    /// Returns whether the contents are complete where they would be copied: they are returned, or stored and only returned to the pool
    /// after that.
    /// </summary>
    private static bool IsComplete(ExpressionSyntax given, FixRequest request)
    {
        if (given.Parent is ReturnStatementSyntax or ArrowExpressionClauseSyntax)
        {
            return true;
        }

        SyntaxNode method = Bodies.MethodOf(given);
        return given.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>()
            .Select(request.SymbolOf)
            .Where(static symbol => symbol is ILocalSymbol { Type.SpecialType: SpecialType.None }
                or IParameterSymbol { Type.SpecialType: SpecialType.None })
            .All(symbol => Variables.NamesOf(symbol!, method, request).Where(name => name.SpanStart > given.Span.End).All(IsGivenBack));
    }

    private static bool IsGivenBack(IdentifierNameSyntax name) =>
        name.Parent is ArgumentSyntax { Parent: ArgumentListSyntax list }
        && list.Parent is InvocationExpressionSyntax { Parent: ExpressionStatementSyntax } call
        && list.Arguments[0].Expression == name
        && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Return" or "Free" };

    private static string? CopyOf(ExpressionSyntax given, FixRequest request)
    {
        ITypeSymbol? type = request.Model.GetTypeInfo(given, request.Cancellation).Type;
        if (type is IArrayTypeSymbol && given is IdentifierNameSyntax array)
        {
            return CopyOfLength(array, request);
        }

        if (!IsView(type))
        {
            return null;
        }

        return WholeIn(given) is { } whole
            ? CopyOfLength(whole, request)
            : $"{given.WithoutTrivia()}.ToArray()";
    }

    private static string? CopyOfLength(ExpressionSyntax array, FixRequest request) =>
        RentedLength.Find(request) is { } length ? $"{array.WithoutTrivia()}.AsSpan(0, {length}).ToArray()" : null;

    /// <summary>Returns the array that an expression exposes as a whole; null if it exposes a part.</summary>
    private static ExpressionSyntax? WholeIn(ExpressionSyntax given) => given switch
    {
        InvocationExpressionSyntax
        {
            ArgumentList.Arguments.Count: 0,
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "AsSpan" or "AsMemory", Expression: var array },
        } => array,
        BaseObjectCreationExpressionSyntax { ArgumentList.Arguments: [{ Expression: var array }] } => array,
        _ => null,
    };

    private static bool IsView(ITypeSymbol? type) =>
        type is INamedTypeSymbol { Name: "Span" or "ReadOnlySpan" or "Memory" or "ReadOnlyMemory" or "ArraySegment" }
        && type.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true };
}
