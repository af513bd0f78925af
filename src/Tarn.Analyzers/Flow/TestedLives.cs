using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers where a later condition may still test a variable. Elsewhere its value is forgotten, so that paths join.</summary>
internal sealed class TestedLives
{
    private readonly Dictionary<object, HashSet<int>> _lives = [];
    private readonly Dictionary<string, HashSet<int>> _named = [];

    private readonly Dictionary<object, HashSet<int>> _read = [];
    private readonly List<int>[] _predecessors;
    private readonly List<int>[] _throwing;
    private readonly ILookup<int, SliceUnit> _inBlocks;

    /// <param name="graph">The graph.</param>
    /// <param name="units">Its operations.</param>
    /// <param name="tested">The variables that conditions test.</param>
    internal TestedLives(ControlFlowGraph graph, List<SliceUnit> units, IEnumerable<object> tested)
    {
        _predecessors = PredecessorsOf(graph, out _throwing);
        _inBlocks = units.ToLookup(static unit => unit.Block);
        foreach (object variable in tested)
        {
            // Variables of the compiler, such as the one of a lock, have no name.
            HashSet<int> live = LifeOf(variable);
            _lives.Add(variable, live);
            if (variable is ISymbol { Name: { } name })
            {
                (_named.TryGetValue(name, out HashSet<int>? all) ? all : _named[name] = []).UnionWith(live);
            }
        }
    }

    /// <summary>Returns whether a condition at a block or after it may test the variable's present value.</summary>
    internal bool IsLive(object variable, int block) => _lives.TryGetValue(variable, out HashSet<int>? live) && live.Contains(block);

    /// <summary>Returns whether a condition at a block or after it may test the present values of all variables with a name.</summary>
    internal bool IsLive(string name, int block) => !_named.TryGetValue(name, out HashSet<int>? live) || live.Contains(block);

    /// <summary>Returns whether an operation at a block or after it may read the variable's present value.</summary>
    internal bool MayRead(object variable, int block)
    {
        if (!_lives.TryGetValue(variable, out HashSet<int>? live) && !_read.TryGetValue(variable, out live))
        {
            _read.Add(variable, live = LifeOf(variable));
        }

        return live.Contains(block);
    }

    /// <summary>Returns the blocks at whose start the value of a variable matters.</summary>
    private HashSet<int> LifeOf(object variable)
    {
        HashSet<int> live = [];
        Stack<int> open = new(_inBlocks.Where(block => IsRead(variable, block)).Select(static block => block.Key));
        while (open.Count > 0)
        {
            int block = open.Pop();
            if (live.Add(block))
            {
                // A block may throw before it replaces the value.
                _throwing[block].ForEach(open.Push);
                foreach (int before in _predecessors[block])
                {
                    if (!_inBlocks[before].Any(unit => unit.Replaced is { } replaced && replaced.Equals(variable)))
                    {
                        open.Push(before);
                    }
                }
            }
        }

        return live;
    }

    /// <summary>Returns whether a block reads a variable before it replaces its value.</summary>
    private static bool IsRead(object variable, IEnumerable<SliceUnit> block)
    {
        foreach (SliceUnit unit in block)
        {
            if (unit.Replaced is { } replaced && replaced.Equals(variable))
            {
                return unit.Copied is { } copied && copied.Equals(variable);
            }

            if (unit.Names.Contains(variable))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns the blocks from which branches lead to each block, and those whose exceptions do.</summary>
    private static List<int>[] PredecessorsOf(ControlFlowGraph graph, out List<int>[] throwing)
    {
        throwing = [.. graph.Blocks.Select(static _ => new List<int>())];
        List<int>[] predecessors = [.. graph.Blocks.Select(static _ => new List<int>())];
        foreach ((int from, int to) in BlockEdges.Of(graph))
        {
            predecessors[to].Add(from);
        }

        foreach (BasicBlock block in graph.Blocks)
        {
            // The root of a lambda's graph is in a region of the outer graph.
            for (ControlFlowRegion? region = block.EnclosingRegion;
                region is not null && region.Kind != ControlFlowRegionKind.Root;
                region = region.EnclosingRegion)
            {
                if (region is { Kind: ControlFlowRegionKind.Try, EnclosingRegion: { } whole })
                {
                    foreach (ControlFlowRegion handler in whole.NestedRegions.Skip(1))
                    {
                        throwing[handler.FirstBlockOrdinal].Add(block.Ordinal);
                    }
                }
            }
        }

        return predecessors;
    }
}
