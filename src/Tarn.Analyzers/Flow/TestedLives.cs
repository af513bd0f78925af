using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers where a later condition may still test a variable. Elsewhere its value is forgotten, so that paths join.</summary>
internal sealed class TestedLives
{
    private readonly Dictionary<object, HashSet<int>> _lives = [];
    private readonly Dictionary<object, List<int>> _reading = [];
    private readonly HashSet<(object Variable, int Block)> _replacing = [];
    private readonly HashSet<object> _tested;
    private readonly ILookup<string, object> _named;
    private readonly List<int>[] _predecessors;
    private readonly List<int>[] _throwing;

    /// <param name="graph">The graph.</param>
    /// <param name="units">Its operations, those of one block after each other.</param>
    /// <param name="tested">The variables that conditions test.</param>
    internal TestedLives(ControlFlowGraph graph, List<SliceUnit> units, HashSet<object> tested)
    {
        _predecessors = PredecessorsOf(graph, out _throwing);
        _tested = tested;

        // Variables of the compiler, such as the one of a lock, have no name.
        _named = tested.OfType<ISymbol>().ToLookup(static variable => variable.Name, static variable => (object)variable);
        HashSet<(object Variable, int Block)> seen = [];
        foreach (SliceUnit unit in units)
        {
            foreach (object variable in unit.Names)
            {
                bool isReplaced = variable.Equals(unit.Replaced);
                if (isReplaced)
                {
                    _replacing.Add((variable, unit.Block));
                }

                // What a block names first is read there, unless it is replaced.
                if (seen.Add((variable, unit.Block)) && (!isReplaced || variable.Equals(unit.Copied)))
                {
                    (_reading.TryGetValue(variable, out List<int>? blocks) ? blocks : _reading[variable] = []).Add(unit.Block);
                }
            }
        }
    }

    /// <summary>Returns whether a condition at a block or after it may test the variable's present value.</summary>
    internal bool IsLive(object variable, int block) => _tested.Contains(variable) && MayRead(variable, block);

    /// <summary>Returns whether a condition at a block or after it may test the present values of all variables with a name.</summary>
    internal bool IsLive(string name, int block) =>
        !_named.Contains(name) || _named[name].Any(variable => MayRead(variable, block));

    /// <summary>Returns whether an operation at a block or after it may read the variable's present value.</summary>
    internal bool MayRead(object variable, int block)
    {
        if (!_lives.TryGetValue(variable, out HashSet<int>? live))
        {
            _lives.Add(variable, live = LifeOf(variable));
        }

        return live.Contains(block);
    }

    /// <summary>Returns the blocks at whose start the value of a variable matters.</summary>
    private HashSet<int> LifeOf(object variable)
    {
        HashSet<int> live = [];
        Stack<int> open = new(_reading.TryGetValue(variable, out List<int>? blocks) ? blocks : []);
        while (open.Count > 0)
        {
            int block = open.Pop();
            if (live.Add(block))
            {
                // A block may throw before it replaces the value.
                _throwing[block].ForEach(open.Push);
                foreach (int before in _predecessors[block])
                {
                    if (!_replacing.Contains((variable, before)))
                    {
                        open.Push(before);
                    }
                }
            }
        }

        return live;
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
