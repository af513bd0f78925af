using System.Collections.Generic;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether a branch stays in a loop: each extends from the target of a backward branch to the branch.</summary>
internal sealed class LoopTable
{
    private readonly List<(int First, int Last)> _loops = [];

    internal LoopTable(ControlFlowGraph graph)
    {
        foreach (BasicBlock block in graph.Blocks)
        {
            Add(block, block.FallThroughSuccessor);
            Add(block, block.ConditionalSuccessor);
        }
    }

    /// <summary>Returns whether a block with a condition decides to stay in a loop that it could leave.</summary>
    internal bool GoesOn(BasicBlock block, BasicBlock? taken, BasicBlock? other)
    {
        foreach ((int first, int last) in _loops)
        {
            if (IsInside(block) && taken is not null && IsInside(taken) && (other is null || !IsInside(other)))
            {
                return true;
            }

            bool IsInside(BasicBlock candidate) => candidate.Ordinal >= first && candidate.Ordinal <= last;
        }

        return false;
    }

    private void Add(BasicBlock block, ControlFlowBranch? branch)
    {
        if (branch?.Destination is { } target && target.Ordinal <= block.Ordinal)
        {
            _loops.Add((target.Ordinal, block.Ordinal));
        }
    }
}
