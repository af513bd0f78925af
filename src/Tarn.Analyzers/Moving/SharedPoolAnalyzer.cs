using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Moving;

/// <summary>Finds the uses of <c>ArrayPool&lt;T&gt;.Shared</c> in a project that references Tarn.</summary>
/// <remarks>
/// All are reported, because an array must go back to the pool it came from: the fix is for a whole solution, not for one place.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SharedPoolAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(MovingRules.Pool);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (SharedPools.TryCreate(start.Compilation) is { } pools)
            {
                start.RegisterSyntaxNodeAction(context => Check(context, pools), SyntaxKind.SimpleMemberAccessExpression);
            }
        });
    }

    private static void Check(SyntaxNodeAnalysisContext context, SharedPools pools)
    {
        if (pools.ElementOfArrayPool(context.Node, context.SemanticModel, context.CancellationToken) is not { } element
            || IsNamed(context.Node))
        {
            return;
        }

        context.ReportDiagnostic(
            Diagnostic.Create(
                MovingRules.Pool.WithPage(context.Options),
                context.Node.GetLocation(),
                context.Node.ToString(),
                element.ToString()));
    }

    /// <summary>Returns whether the expression is only named, by <c>nameof</c>.</summary>
    private static bool IsNamed(SyntaxNode expression) =>
        expression.Parent is ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: IdentifierNameSyntax called } }
        && called.Identifier.ValueText == "nameof";
}
