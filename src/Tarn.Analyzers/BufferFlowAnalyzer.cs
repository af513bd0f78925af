using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Flow;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers;

/// <summary>Follows pooled buffers along the paths of each method that rents or returns one.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BufferFlowAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics => BufferRules.OfFlow;

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            KnownInFiles known = new(KnownSymbols.Of(start.Compilation));
            MethodSummaries summaries = MethodSummaries.Of(start.Compilation);
            start.RegisterOperationBlockStartAction(block =>
                Start(block, known.Of(block.OperationBlocks, block.Options), summaries));
        });
    }

    private static void Start(OperationBlockStartAnalysisContext context, KnownSymbols known, MethodSummaries summaries)
    {
        HashSet<IMethodSymbol?> found = new(SymbolEqualityComparer.Default);
        context.RegisterOperationAction(
            one =>
            {
                if (IsOfBuffers(one.Operation, known, summaries))
                {
                    found.Add(FunctionOf(one.Operation));
                }

                if (one.Operation is not IInvocationOperation call || !LentBuffers.MayLend(call))
                {
                    return;
                }

                foreach ((IParameterReferenceOperation read, SyntaxNode rent) in new LentBuffers(known, summaries).FindReads(call))
                {
                    Finding finding = new(FindingKind.Oversized, read.Syntax, rent, read.Parameter.Name);
                    one.ReportDiagnostic(DiagnosticOf(finding, one.Options));
                }
            },
            OperationKind.Invocation,
            OperationKind.ObjectCreation,
            OperationKind.Using,
            OperationKind.UsingDeclaration);
        context.RegisterOperationBlockEndAction(end =>
        {
            if (found.Count == 0)
            {
                return;
            }

            // One graph shows all blocks of one root, such as a constructor's body and what it passes to another constructor.
            foreach (IOperation root in end.OperationBlocks.Select(MethodBodies.RootOf).Distinct())
            {
                IOperation block = end.OperationBlocks.First(one => MethodBodies.RootOf(one) == root);
                Analyze(end.GetControlFlowGraph(block), function: null, found, known, summaries, end);
            }
        });
    }

    /// <summary>Returns the lambda or the local function that an operation is in; null if it is in none.</summary>
    private static IMethodSymbol? FunctionOf(IOperation operation)
    {
        for (IOperation? outer = operation.Parent; outer is not null; outer = outer.Parent)
        {
            switch (outer)
            {
                case IAnonymousFunctionOperation lambda:
                    return lambda.Symbol;
                case ILocalFunctionOperation local:
                    return local.Symbol;
            }
        }

        return null;
    }

    /// <summary>Returns whether an operation rents, returns or disposes a buffer, so that the paths around it are followed.</summary>
    private static bool IsOfBuffers(IOperation operation, KnownSymbols known, MethodSummaries summaries) => operation switch
    {
        IInvocationOperation call => IsOfBuffers(call, known, summaries),
        IObjectCreationOperation made => known.MakesOwner(made) || known.MakesBuilder(made),
        _ => operation.Locals().Any(local => known.IsOwner(local.Type)),
    };

    private static bool IsOfBuffers(IInvocationOperation call, KnownSymbols known, MethodSummaries summaries) =>
        summaries.MayConcern(call.TargetMethod, known)
        && (known.AsRent(call) is not null || known.AsReturn(call) is not null || known.IsDispose(call)
        || known.AsRingCall(call) is not null || summaries.ResultOf(call.TargetMethod) is not null || summaries.MayReturn(call)
        || call.Arguments.Any(argument => summaries.LeavesOfPool(argument.Parameter)));

    /// <summary>Follows a method, or a function inside it, and the functions inside that, if an operation was found in each.</summary>
    private static void Analyze(
        ControlFlowGraph graph,
        IMethodSymbol? function,
        HashSet<IMethodSymbol?> found,
        KnownSymbols known,
        MethodSummaries summaries,
        OperationBlockAnalysisContext context)
    {
        if (found.Contains(function))
        {
            foreach (Finding finding in MethodFlow.Analyze(graph, function ?? context.OwningSymbol, known, summaries))
            {
                if (!IsLoss(finding.Kind) || function is null || !Callbacks.IsExpectedToThrow(graph.OriginalOperation.Syntax))
                {
                    context.ReportDiagnostic(DiagnosticOf(finding, context.Options));
                }
            }
        }

        if (found.All(one => SymbolEqualityComparer.Default.Equals(one, function)))
        {
            return;
        }

        foreach (IMethodSymbol local in graph.LocalFunctions)
        {
            ControlFlowGraph inner = graph.GetLocalFunctionControlFlowGraph(local, context.CancellationToken);
            Analyze(inner, local, found, known, summaries, context);
        }

        foreach (IFlowAnonymousFunctionOperation lambda in graph.Blocks.SelectMany(
            static block => block.Operations.Concat(block.BranchValue is null ? [] : [block.BranchValue]))
            .SelectMany(static operation => operation.DescendantsAndSelf()).OfType<IFlowAnonymousFunctionOperation>())
        {
            ControlFlowGraph inner = graph.GetAnonymousFunctionControlFlowGraph(lambda, context.CancellationToken);
            Analyze(inner, lambda.Symbol, found, known, summaries, context);
        }
    }

    private static bool IsLoss(FindingKind kind) =>
        kind is FindingKind.NotReturned or FindingKind.BuilderNotReturned or FindingKind.NeverReturned or FindingKind.NotFreed;

    private static Diagnostic DiagnosticOf(Finding finding, AnalyzerOptions options) =>
        Diagnostic.Create(
            BufferRules.Of(finding.Kind).WithPage(options),
            finding.Site.GetLocation(),
            BufferRules.SeverityOf(finding),
            finding.Other is null ? [] : [finding.Other.GetLocation()],
            properties: null,
            finding.Name,
            (finding.Other?.GetLocation().GetLineSpan().StartLinePosition.Line ?? 0) + 1,
            finding.Verb,
            finding.LostAt == 0 ? "every normal path" : $"the path that ends at line {finding.LostAt}");
}
