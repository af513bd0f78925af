using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers which blocks of a graph follow each other, for analyses that need no state.</summary>
internal static class BlockEdges
{
    /// <summary>
    /// Returns the blocks that branches connect. A branch that leaves through finally blocks leads to the first block of each, and from its
    /// last one on. Branches without a target, which throw or end a finally block, are left out.
    /// </summary>
    internal static IEnumerable<(int From, int To)> Of(ControlFlowGraph graph)
    {
        foreach (BasicBlock block in graph.Blocks)
        {
            ControlFlowBranch?[] branches = [block.FallThroughSuccessor, block.ConditionalSuccessor];
            foreach (ControlFlowBranch branch in branches.OfType<ControlFlowBranch>())
            {
                if (branch.Destination is not { } target)
                {
                    continue;
                }

                int from = block.Ordinal;
                foreach (ControlFlowRegion through in branch.FinallyRegions)
                {
                    yield return (from, through.FirstBlockOrdinal);
                    from = through.LastBlockOrdinal;
                }

                yield return (from, target.Ordinal);
            }
        }
    }
}
