using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>Passes an owner to a private method by reference instead of as a copy.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ByReferenceCodeFix))]
public sealed class ByReferenceCodeFix : BufferCodeFix
{
    /// <summary>Initializes a new instance of the class, as the host requires.</summary>
    public ByReferenceCodeFix()
        : base(RuleIds.OwnerCopied)
    {
    }

    private protected override IEnumerable<ProposedFix> Propose(FixRequest request)
    {
        if (request.SiteExpression?.Parent is not ArgumentSyntax { RefKindKeyword.RawKind: 0, Parent: ArgumentListSyntax list } argument
            || list.Parent is not InvocationExpressionSyntax call
            || request.SymbolOf(call) is not IMethodSymbol method
            || (method.DeclaredAccessibility is not Accessibility.Private and not Accessibility.NotApplicable)
            || ParameterOf(argument, method) is not { RefKind: RefKind.None, IsParams: false, DeclaringSyntaxReferences: [var reference] }
            || reference.SyntaxTree != request.Root.SyntaxTree
            || method.ContainingType.DeclaringSyntaxReferences.Length != 1
            || reference.GetSyntax(request.Cancellation) is not ParameterSyntax { Default: null } parameter)
        {
            yield break;
        }

        foreach (SyntaxKind keyword in (SyntaxKind[])[SyntaxKind.RefKeyword, SyntaxKind.InKeyword])
        {
            // Disposing a struct through a readonly reference disposes a copy.
            if (keyword == SyntaxKind.RefKeyword || !IsDisposedIn(parameter))
            {
                yield return new ProposedFix("Pass the owner by reference", Change(method, parameter, keyword, request));
            }
        }
    }

    private static SyntaxNode Change(IMethodSymbol method, ParameterSyntax parameter, SyntaxKind keyword, FixRequest request)
    {
        SyntaxEditor editor = request.Edit();
        SyntaxToken token = SyntaxFactory.Token(keyword).WithTrailingTrivia(SyntaxFactory.Space);
        editor.ReplaceNode(parameter, parameter.AddModifiers(token).WithAdditionalAnnotations(Formatter.Annotation));
        foreach (InvocationExpressionSyntax call in request.Root.DescendantNodes().OfType<InvocationExpressionSyntax>())
        {
            if (!SymbolEqualityComparer.Default.Equals(request.SymbolOf(call)?.OriginalDefinition, method.OriginalDefinition))
            {
                continue;
            }

            foreach (ArgumentSyntax argument in call.ArgumentList.Arguments)
            {
                if (ParameterOf(argument, method)?.Name == parameter.Identifier.ValueText)
                {
                    editor.ReplaceNode(
                        argument,
                        (current, _) => ((ArgumentSyntax)current).WithRefKindKeyword(token)
                            .WithAdditionalAnnotations(Formatter.Annotation));
                }
            }
        }

        return editor.GetChangedRoot();
    }

    private static IParameterSymbol? ParameterOf(ArgumentSyntax argument, IMethodSymbol method)
    {
        if (argument.NameColon is { } named)
        {
            return method.Parameters.FirstOrDefault(parameter => parameter.Name == named.Name.Identifier.ValueText);
        }

        int index = ((ArgumentListSyntax)argument.Parent!).Arguments.IndexOf(argument);
        return index < method.Parameters.Length ? method.Parameters[index] : null;
    }

    private static bool IsDisposedIn(ParameterSyntax parameter) =>
        Bodies.MethodOf(parameter).DescendantNodes().OfType<MemberAccessExpressionSyntax>().Any(access =>
            access.Name.Identifier.ValueText == "Dispose"
            && access.Expression is IdentifierNameSyntax name
            && name.Identifier.ValueText == parameter.Identifier.ValueText);
}
