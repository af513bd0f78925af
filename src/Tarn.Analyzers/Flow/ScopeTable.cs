using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers in which blocks a local or a capture of the compiler is in scope.</summary>
internal sealed class ScopeTable
{
    private readonly Dictionary<ISymbol, (int First, int Last)> _locals = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<CaptureId, (int First, int Last)> _captures = [];

    internal ScopeTable(ControlFlowGraph graph) => Add(graph.Root);

    internal (int First, int Last) Of(ISymbol symbol) =>
        _locals.TryGetValue(symbol, out (int First, int Last) scope) ? scope : (0, int.MaxValue);

    internal (int First, int Last) Of(CaptureId capture) =>
        _captures.TryGetValue(capture, out (int First, int Last) scope) ? scope : (0, int.MaxValue);

    private void Add(ControlFlowRegion region)
    {
        foreach (ILocalSymbol local in region.Locals)
        {
            _locals[local] = (region.FirstBlockOrdinal, region.LastBlockOrdinal);
        }

        foreach (CaptureId capture in region.CaptureIds)
        {
            _captures[capture] = (region.FirstBlockOrdinal, region.LastBlockOrdinal);
        }

        foreach (ControlFlowRegion nested in region.NestedRegions)
        {
            Add(nested);
        }
    }
}
