using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Determines which variables and conditions of a method can affect its buffers. Paths that differ only in others join, so that a long
/// method has no more states than a short one with the same buffers.
/// </summary>
/// <remarks>
/// A variable carries a buffer if it may hold one that the method rents or returns. A condition matters if code that it decides on uses
/// such a variable, or assigns a variable that another condition which matters tests. A condition on which the method ends before it has
/// any buffer matters only if the method tests it again. Names are followed without regard to the order of
/// statements, so that more is followed than necessary.
/// </remarks>
internal sealed class BufferSlice
{
    private readonly HashSet<object> _carriers = [];
    private readonly HashSet<object> _ended = [];
    private readonly HashSet<object> _tested = [];
    private readonly bool[] _decides;
    private readonly ControlFlowGraph _graph;
    private readonly KnownSymbols _known;
    private readonly List<SliceUnit> _units;
    private readonly Lazy<TestedLives> _lives;

    internal BufferSlice(ControlFlowGraph graph, KnownSymbols known, MethodSummaries summaries)
    {
        _graph = graph;
        _known = known;
        _decides = new bool[graph.Blocks.Length];
        _units = [.. SliceUnit.Of(graph, known, summaries)];
        _lives = new Lazy<TestedLives>(() => new TestedLives(graph, _units, _tested));
        FindCarriers();
        IsAtStake = _units.Any(static unit => unit.RentsOrReturns || unit.DropsTask)
            || _carriers.Any(variable => SliceUnit.TypeOf(variable) is { } type && !known.IsPooled(type));
    }

    /// <summary>
    /// Gets a value indicating whether anything can go wrong. A method that only disposes objects which return their array when they are
    /// disposed, and keeps nothing made from them, uses none of their memory afterwards.
    /// </summary>
    internal bool IsAtStake { get; }

    /// <summary>Gets a value indicating whether the method has lambdas or local functions.</summary>
    internal bool HasFunctions => !_graph.LocalFunctions.IsEmpty || _units.Any(static unit => unit.HasFunction);

    /// <summary>Gets a value indicating whether only the conditions that ask for a buffer are followed.</summary>
    internal bool IsCoarse { get; private set; }

    /// <summary>Finds the conditions that can affect a buffer, which a method where nothing can go wrong need not.</summary>
    /// <param name="isCoarse">Whether only those count that ask for a buffer.</param>
    internal void FindDecisions(bool isCoarse)
    {
        FindEnded();
        IsCoarse = isCoarse;
        if (isCoarse)
        {
            _carriers.RemoveWhere(variable =>
                SliceUnit.TypeOf(variable) is { } type
                && !_known.IsBuffer(type) && !KnownSymbols.IsMemory(type) && !KnownSymbols.IsTask(type));
        }

        FindDecidingBlocks(isCoarse);
    }

    /// <summary>
    /// Returns whether what a variable holds may be returned or disposed by the method, or be a field's buffer that it replaces.
    /// </summary>
    internal bool Ends(object variable) => _ended.Contains(variable);

    /// <summary>
    /// Returns whether the value that a variable or a capture has at the start of a block can affect a buffer, if it is none itself.
    /// </summary>
    internal bool Follows(object variable, int block) =>
        _carriers.Contains(variable) ? _lives.Value.MayRead(variable, block) : _lives.Value.IsLive(variable, block);

    /// <summary>Returns whether an operation at a block or after it may read the variable's present value.</summary>
    internal bool MayRead(object variable, int block) => _lives.Value.MayRead(variable, block);

    /// <summary>Returns whether the result of a condition that names some variables is asked for at a block or after it.</summary>
    internal bool AsksAgain(IEnumerable<string> names, int block) => names.All(name => _lives.Value.IsLive(name, block));

    /// <summary>Returns whether the condition at the end of a block can affect a buffer.</summary>
    internal bool Decides(BasicBlock block) => _decides[block.Ordinal];

    private void FindCarriers()
    {
        foreach (SliceUnit unit in _units)
        {
            _carriers.UnionWith(unit.Seeds);
        }

        int before;
        do
        {
            before = _carriers.Count;
            foreach (SliceUnit unit in _units)
            {
                if (!unit.Passes || !Meet(unit.Names, _carriers))
                {
                    continue;
                }

                if (unit.Names.Any(name => SliceUnit.MayCarry(name) && _carriers.Contains(name)))
                {
                    _carriers.UnionWith(unit.Targets.Where(static target => !SliceUnit.IsException(target)));
                    _carriers.UnionWith(unit.Names.Where(SliceUnit.MayCarry));
                }
                else
                {
                    // What is made with the length of a buffer does not hold the buffer; only another number depends on it.
                    _carriers.UnionWith(unit.Targets.Where(static target => !SliceUnit.MayCarry(target)));
                }
            }
        }
        while (_carriers.Count > before);
    }

    /// <summary>Finds the variables whose buffers the method returns, and those that such a variable gets its buffer from.</summary>
    private void FindEnded()
    {
        foreach (SliceUnit unit in _units)
        {
            _ended.UnionWith(unit.Ended);
            _ended.UnionWith(unit.Targets.Where(target => target is IFieldSymbol or IPropertySymbol && _carriers.Contains(target)));
        }

        int before;
        do
        {
            before = _ended.Count;
            foreach (SliceUnit unit in _units)
            {
                if (unit.Passes && Meet(unit.Targets, _ended))
                {
                    _ended.UnionWith(unit.Names.Where(SliceUnit.MayCarry));
                }
            }
        }
        while (_ended.Count > before);
    }

    private void FindDecidingBlocks(bool isCoarse)
    {
        HashSet<int> used =
            [.. _units.Where(unit => unit.IsOfBuffers || Meet(unit.Names, _carriers)).Select(static unit => unit.Block)];
        ControlRegions regions = new(_graph, _units.Where(static unit => unit.IsOfBuffers).Select(static unit => unit.Block), used);
        Dictionary<int, HashSet<object>> asked =
            _units.Where(static unit => unit.IsCondition).ToDictionary(static unit => unit.Block, static unit => unit.Names);
        BasicBlock[] conditions =
            [.. _graph.Blocks.Where(static block => block.ConditionKind != ControlFlowConditionKind.None && block.BranchValue is not null)];
        Dictionary<int, int[]> decided =
            conditions.ToDictionary(static block => block.Ordinal, block => regions.Of(block.Ordinal).ToArray());
        bool isChanged = true;
        while (isChanged)
        {
            isChanged = false;
            HashSet<int> effective =
                [.. used, .. _units.Where(unit => Meet(unit.Targets, _tested)).Select(static unit => unit.Block)];
            foreach (BasicBlock block in conditions.Where(block => !_decides[block.Ordinal]))
            {
                HashSet<object> names = asked[block.Ordinal];
                if (Meet(names, _carriers)
                    || (!isCoarse && (names.Count == 0 || Meet(names, _tested) || decided[block.Ordinal].Any(effective.Contains))))
                {
                    _decides[block.Ordinal] = isChanged = true;
                    _tested.UnionWith(isCoarse ? names.Where(_carriers.Contains) : names);
                }
            }

            foreach (SliceUnit unit in _units.Where(unit => !isCoarse && unit.Copied is not null && Meet(unit.Targets, _tested)))
            {
                isChanged |= _tested.Add(unit.Copied!);
            }
        }
    }

    /// <summary>Returns whether the variables of an operation are among those of the method, which are more.</summary>
    private static bool Meet(HashSet<object> few, HashSet<object> many)
    {
        foreach (object variable in few)
        {
            if (many.Contains(variable))
            {
                return true;
            }
        }

        return false;
    }
}
