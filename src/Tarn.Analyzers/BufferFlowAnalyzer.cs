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
        bool isFound = false;
        context.RegisterOperationAction(
            one =>
            {
                IInvocationOperation call = (IInvocationOperation)one.Operation;
                isFound = isFound || IsOfBuffers(call, known, summaries);
                if (!LentBuffers.MayLend(call))
                {
                    return;
                }

                foreach ((IParameterReferenceOperation read, SyntaxNode rent) in new LentBuffers(known, summaries).FindReads(call))
                {
                    Finding finding = new(FindingKind.Oversized, read.Syntax, rent, read.Parameter.Name);
                    one.ReportDiagnostic(DiagnosticOf(finding, one.Options));
                }
            },
            OperationKind.Invocation);
        context.RegisterOperationAction(
            creation => isFound = isFound
                || (creation.Operation is IObjectCreationOperation made && (known.MakesOwner(made) || known.MakesBuilder(made))),
            OperationKind.ObjectCreation);
        context.RegisterOperationAction(
            operation => isFound = isFound || operation.Operation.Locals().Any(local => known.IsOwner(local.Type)),
            OperationKind.Using,
            OperationKind.UsingDeclaration);
        context.RegisterOperationBlockEndAction(end =>
        {
            if (!isFound)
            {
                return;
            }

            // One graph shows all blocks of one root, such as a constructor's body and what it passes to another constructor.
            foreach (IOperation root in end.OperationBlocks.Select(MethodBodies.RootOf).Distinct())
            {
                IOperation block = end.OperationBlocks.First(one => MethodBodies.RootOf(one) == root);
                Analyze(end.GetControlFlowGraph(block), end.OwningSymbol, known, summaries, end);
            }
        });
    }

    private static bool IsOfBuffers(IInvocationOperation call, KnownSymbols known, MethodSummaries summaries) =>
        summaries.MayConcern(call.TargetMethod, known)
        && (known.AsRent(call) is not null || known.AsReturn(call) is not null || known.IsDispose(call)
        || known.AsRingCall(call) is not null || summaries.ResultOf(call.TargetMethod) is not null || summaries.MayReturn(call)
        || call.Arguments.Any(argument => summaries.LeavesOfPool(argument.Parameter)));

    private static void Analyze(
        ControlFlowGraph graph, ISymbol method, KnownSymbols known, MethodSummaries summaries, OperationBlockAnalysisContext context)
    {
        foreach (Finding finding in MethodFlow.Analyze(graph, method, known, summaries))
        {
            context.ReportDiagnostic(DiagnosticOf(finding, context.Options));
        }

        foreach (IMethodSymbol local in graph.LocalFunctions)
        {
            Analyze(graph.GetLocalFunctionControlFlowGraph(local, context.CancellationToken), local, known, summaries, context);
        }

        foreach (IFlowAnonymousFunctionOperation function in graph.Blocks.SelectMany(
            static block => block.Operations.Concat(block.BranchValue is null ? [] : [block.BranchValue]))
            .SelectMany(static operation => operation.DescendantsAndSelf()).OfType<IFlowAnonymousFunctionOperation>())
        {
            ControlFlowGraph inner = graph.GetAnonymousFunctionControlFlowGraph(function, context.CancellationToken);
            Analyze(inner, function.Symbol, known, summaries, context);
        }
    }

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
