using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers which blocks a condition decides on: those between it and the first block that all its paths reach.</summary>
/// <remarks>
/// Exceptions that operations may throw are not followed, because they do not depend on a condition. Paths that leave the method before it
/// has any buffer are left out: what they did does not matter.
/// </remarks>
internal sealed class ControlRegions
{
    private readonly List<int>[] _successors;

    /// <summary>For each block, the blocks that all paths from it to the exit reach.</summary>
    private readonly BitArray[] _reached;

    /// <param name="graph">The graph.</param>
    /// <param name="first">The blocks that rent or return a buffer.</param>
    /// <param name="used">The blocks that use a variable with a buffer, these included.</param>
    internal ControlRegions(ControlFlowGraph graph, IEnumerable<int> first, HashSet<int> used)
    {
        int count = graph.Blocks.Length;
        _successors = [.. Enumerable.Range(0, count).Select(static _ => new List<int>())];
        foreach ((int from, int to) in BlockEdges.Of(graph))
        {
            _successors[from].Add(to);
        }

        foreach (BasicBlock block in graph.Blocks)
        {
            if (Throws(block.FallThroughSuccessor) || Throws(block.ConditionalSuccessor))
            {
                _successors[block.Ordinal].Add(count - 1);
            }
        }

        LeaveOut(first, used);
        _reached = [.. Enumerable.Range(0, count).Select(block => new BitArray(count, block != count - 1))];
        _reached[count - 1][count - 1] = true;
        Solve();
    }

    /// <summary>Returns the blocks that some paths from a block reach and others may not.</summary>
    internal IEnumerable<int> Of(int block)
    {
        HashSet<int> seen = [];
        Stack<int> open = new(_successors[block]);
        while (open.Count > 0)
        {
            int next = open.Pop();
            if (!_reached[block][next] && seen.Add(next))
            {
                yield return next;
                foreach (int successor in _successors[next])
                {
                    open.Push(successor);
                }
            }
        }
    }

    private static bool Throws(ControlFlowBranch? branch) =>
        branch?.Semantics is ControlFlowBranchSemantics.Throw or ControlFlowBranchSemantics.Rethrow;

    /// <summary>Leaves out the branches to the exit that are taken before there is a buffer.</summary>
    private void LeaveOut(IEnumerable<int> first, HashSet<int> used)
    {
        HashSet<int> after = Closure(first.SelectMany(block => _successors[block]), block => _successors[block]);
        List<int>[] predecessors = [.. _successors.Select(static _ => new List<int>())];
        for (int block = 0; block < _successors.Length; block++)
        {
            foreach (int successor in _successors[block])
            {
                predecessors[successor].Add(block);
            }
        }

        HashSet<int> before = Closure(used, block => predecessors[block]);
        for (int block = 0; block < _successors.Length; block++)
        {
            if (!after.Contains(block))
            {
                _successors[block].RemoveAll(successor => !before.Contains(successor));
            }
        }
    }

    private static HashSet<int> Closure(IEnumerable<int> blocks, Func<int, List<int>> next)
    {
        HashSet<int> seen = [];
        Stack<int> open = new(blocks);
        while (open.Count > 0)
        {
            int block = open.Pop();
            if (seen.Add(block))
            {
                next(block).ForEach(open.Push);
            }
        }

        return seen;
    }

    private void Solve()
    {
        bool isChanged = true;
        while (isChanged)
        {
            isChanged = false;
            for (int block = _successors.Length - 2; block >= 0; block--)
            {
                BitArray reached = new(_successors.Length, _successors[block].Count > 0);
                foreach (int successor in _successors[block])
                {
                    reached.And(_reached[successor]);
                }

                reached[block] = true;
                isChanged |= !AreEqual(reached, _reached[block]);
                _reached[block] = reached;
            }
        }
    }

    private static bool AreEqual(BitArray first, BitArray second)
    {
        for (int i = 0; i < first.Length; i++)
        {
            if (first[i] != second[i])
            {
                return false;
            }
        }

        return true;
    }
}
