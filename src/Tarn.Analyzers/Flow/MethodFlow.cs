using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Finds the misuse that shows on the paths of one method, or of a function inside it.</summary>
internal static class MethodFlow
{
    /// <summary>The most blocks of a method; larger methods are skipped.</summary>
    private const int MostBlocks = 600;

    /// <summary>Returns the certain findings; none for a method with too many blocks or paths.</summary>
    /// <remarks>
    /// A method with too many paths is followed once more without the results of its conditions. What happens on all of those paths also
    /// happens on the real ones, which are among them. That shows second returns and later uses that no condition decides on, but not
    /// buffers that are lost.
    /// </remarks>
    internal static IEnumerable<Finding> Analyze(ControlFlowGraph graph, ISymbol method, KnownSymbols known, MethodSummaries summaries)
    {
        if (Prepare(graph, method, known, summaries, isCoarse: false, out MethodContext? context) is not { } explorer)
        {
            return [];
        }

        if (TryRun(explorer))
        {
            return FindingsOf(context!);
        }

        return TryRun(Prepare(graph, method, known, summaries, isCoarse: true, out context)!)
            ? FindingsOf(context!).Where(static finding =>
                finding.Kind is FindingKind.DoubleReturn or FindingKind.UseAfterReturn
                && finding.Other is { } returned
                && ConditionSyntax.AlwaysRuns(finding.Site, outer => outer.Span.Contains(returned.Span)))
            : [];
    }

    /// <summary>Follows all paths; returns false if there are too many, or if an expression is nested too deeply for the stack.</summary>
    private static bool TryRun(Explorer explorer)
    {
        try
        {
            return explorer.TryRun();
        }
        catch (InsufficientExecutionStackException)
        {
            return false;
        }
    }

    private static IEnumerable<Finding> FindingsOf(MethodContext context) =>
        context.Evidence.GetCertain().Concat(context.Origins.GetCertain()).Concat(context.Exits.GetCertain())
            .Where(static finding => finding.Kind != FindingKind.DoubleReturn
                || finding.Other is not { } first
                || !ReturnSyntax.MayTellApart(finding.Site, first))
            .Select(finding => finding with { IsOfShape = context.Resources.IsShaped(finding.Name) }).Distinct();

    /// <summary>Returns what follows the paths of a method; null if the method is too long, or nothing in it can go wrong.</summary>
    /// <param name="graph">The graph of the method.</param>
    /// <param name="method">The method.</param>
    /// <param name="known">The known symbols.</param>
    /// <param name="summaries">What called methods do.</param>
    /// <param name="isCoarse">Whether to forget the results of all conditions but those that ask for a buffer.</param>
    /// <param name="context">What the analysis finds out.</param>
    internal static Explorer? Prepare(
        ControlFlowGraph graph,
        ISymbol method,
        KnownSymbols known,
        MethodSummaries summaries,
        bool isCoarse,
        out MethodContext? context)
    {
        context = null;
        if (graph.Blocks.Length > MostBlocks)
        {
            return null;
        }

        BufferSlice slice = new(graph, known, summaries);
        if (!slice.IsAtStake && method is IMethodSymbol called && !MayHandOut(called))
        {
            return null;
        }

        CapturedNames captured = new(slice.HasFunctions ? graph.OriginalOperation : null, known, summaries);

        bool IsFollowed(ISymbol variable) =>
            variable.Kind is SymbolKind.Field or SymbolKind.Property
            || ((SymbolEqualityComparer.Default.Equals(variable.ContainingSymbol, method)
                    || (variable is IParameterSymbol parameter && ExtensionBlocks.IsReceiver(parameter)))
                && !captured.AreWritten(variable.Name));
        slice.FindDecisions(isCoarse);
        VariableTable variables = new(new ScopeTable(graph), IsFollowed, slice, captured, AssignedCaptures.In(graph));
        context = new MethodContext(known, summaries, slice, variables, new ConditionTable(graph), graph.OriginalOperation);
        ValueLookup values = new(context);
        BufferContents contents = new(context, values);
        BufferStores stores = new(context, values);
        ResourceTransitions transitions = new(context, contents, stores);
        Assumptions assumptions = new(context);
        Interpreter interpreter = new(context, values, contents, stores, transitions, assumptions);
        PathEnds ends = new(context, values, stores, transitions, new OversizedUses(context, values));
        return new Explorer(graph, context, interpreter, assumptions, ends);
    }

    /// <summary>Returns whether a method may hand out memory of an object that it disposes, or work on it that nothing awaited.</summary>
    private static bool MayHandOut(IMethodSymbol method) =>
        MayHold(method.ReturnType) || (KnownSymbols.IsTask(method.ReturnType) && !method.IsAsync);

    /// <summary>Returns whether the result of a method may be memory of an object that the method disposes.</summary>
    private static bool MayHold(ITypeSymbol result) =>
        !(result.SpecialType is not (SpecialType.None or SpecialType.System_Object)
            || (KnownSymbols.IsTask(result)
                && (result is not INamedTypeSymbol { TypeArguments.Length: 1 } task || !MayHold(task.TypeArguments[0]))));
}
