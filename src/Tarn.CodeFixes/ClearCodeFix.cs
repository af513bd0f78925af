using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Has the pool clear an array that is returned to it.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ClearCodeFix))]
public sealed class ClearCodeFix : BufferCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public ClearCodeFix()
        : base(RuleIds.ReferencesUncleared)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression is not InvocationExpressionSyntax call || request.SymbolOf(call) is not IMethodSymbol method)
        {
            yield break;
        }

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
