using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what the call of a local function, or of a lambda in a variable, does with the buffers that it captures.</summary>
/// <remarks>Only what such a function does whenever it is called counts: an exit before it or a condition around it hides it.</remarks>
internal sealed class Closures(MethodContext context, ResourceTransitions transitions)
{
    private readonly Dictionary<ISymbol, SyntaxNode?> _functions = new(SymbolEqualityComparer.Default);

    /// <summary>Returns whether a function returns or disposes something.</summary>
    internal static bool GiveBack(SyntaxNode function) => function.DescendantNodes().OfType<SimpleNameSyntax>().Any(IsEnd);

    /// <summary>Runs a function, if a call is of one. Returns the buffers that it uses after it returned a task, a bit for each.</summary>
    internal ulong Run(IInvocationOperation call, FlowState state)
    {
        if (FunctionOf(call) is not { } function || BodyOf(function) is not { } body)
        {
            return 0;
        }

        ulong kept = 0;
        foreach ((int index, string name, _) in context.Variables.ReadBy(function, call.TargetMethod).ToArray())
        {
            Value value = state.GetVariable(index);
            IdentifierNameSyntax[] uses =
                [.. body.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Where(use => use.Identifier.ValueText == name)];
            if (!value.IsOfResource || uses.Length == 0)
            {
                continue;
            }

            if (KnownSymbols.IsTask(call.TargetMethod.ReturnType))
            {
                kept |= !GiveBack(function) && IsUsedLater(body, uses[uses.Length - 1]) ? value.Resources : 0;
            }
            else if (uses.Any(use => IsReturned(use) && AlwaysRuns(use, body)))
            {
                if (value.Kind == ValueKind.Whole)
                {
                    transitions.ReturnThrough(call, call, value.Resource, state);
                }
            }
            else if (uses.Any(use => IsUsed(use) && AlwaysRuns(use, body)))
            {
                transitions.Use(call, value, state);
            }
        }

        return kept;
    }

    private SyntaxNode? FunctionOf(IInvocationOperation call)
    {
        ISymbol? named = call switch
        {
            { TargetMethod: { MethodKind: MethodKind.LocalFunction, IsStatic: false } local } => local.OriginalDefinition,
            { TargetMethod.MethodKind: MethodKind.DelegateInvoke, Instance: ILocalReferenceOperation { Local: var variable } } => variable,
            _ => null,
        };
        if (named is null)
        {
            return null;
        }

        if (!_functions.TryGetValue(named, out SyntaxNode? function))
        {
            _functions.Add(named, function = Find(named));
        }

        return function;
    }

    private SyntaxNode? Find(ISymbol named) => named.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() switch
    {
        LocalFunctionStatementSyntax local => local,
        VariableDeclaratorSyntax { Initializer.Value: AnonymousFunctionExpressionSyntax lambda } when !IsAssigned(named.Name) => lambda,
        _ => null,
    };

    private bool IsAssigned(string name) =>
        context.Syntax.DescendantNodes().OfType<AssignmentExpressionSyntax>().Any(one => one.Left.ToString() == name)
        || context.Variables.Captured.AreWritten(name);

    private static SyntaxNode? BodyOf(SyntaxNode function) => function switch
    {
        LocalFunctionStatementSyntax local => local.Body ?? (SyntaxNode?)local.ExpressionBody,
        AnonymousFunctionExpressionSyntax lambda => lambda.Block ?? (SyntaxNode?)lambda,
        _ => null,
    };

    private static bool IsEnd(SimpleNameSyntax name) => name.Identifier.ValueText is "Return" or "Dispose" or "DisposeAsync" or "Free";

    private static bool IsReturned(IdentifierNameSyntax use) => use.Parent switch
    {
        ArgumentSyntax { Parent: ArgumentListSyntax { Parent: InvocationExpressionSyntax call } list } =>
            list.Arguments[0].Expression == use
            && call.Expression is MemberAccessExpressionSyntax { Name: { Identifier.ValueText: "Return" } },
        MemberAccessExpressionSyntax { Name: { } member, Parent: InvocationExpressionSyntax } access =>
            access.Expression == use && IsEnd(member),
        _ => false,
    };

    private static bool IsUsed(IdentifierNameSyntax use) => use.Parent switch
    {
        ElementAccessExpressionSyntax element => element.Expression == use,
        MemberAccessExpressionSyntax access => access.Expression == use && access.Name.Identifier.ValueText != "Length",
        ArgumentSyntax { Parent: ArgumentListSyntax { Parent: InvocationExpressionSyntax call } } => IsOfWork(call.Expression.ToString()),
        _ => false,
    };

    /// <summary>Returns whether a call works with its arguments, other than to ask or to compare them.</summary>
    private static bool IsOfWork(string called) =>
        !called.EndsWith("Equals", System.StringComparison.Ordinal) && !called.EndsWith("ThrowIfNull", System.StringComparison.Ordinal)
        && called != "nameof";

    private static bool AlwaysRuns(IdentifierNameSyntax use, SyntaxNode body) =>
        ConditionSyntax.AlwaysRuns(use, outer => outer == body)
        && !use.Ancestors().TakeWhile(outer => outer != body).Any(static outer => outer is CatchClauseSyntax)
        && !body.DescendantNodes().Any(node =>
            node.SpanStart < use.SpanStart
            && node is ReturnStatementSyntax or ThrowStatementSyntax or ThrowExpressionSyntax or GotoStatementSyntax or YieldStatementSyntax
            && !node.Contains(use));

    /// <summary>Returns whether a function that returns a task may use something after it waited.</summary>
    private static bool IsUsedLater(SyntaxNode body, IdentifierNameSyntax last) =>
        IsUsed(last) && body.DescendantNodes().Any(node => node is AwaitExpressionSyntax && node.SpanStart < last.SpanStart);
}
