using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers with which results a method returns, and what it has done with one buffer by then.</summary>
/// <remarks>
/// It follows the paths of the method with one fact about the buffer, and the constants in variables of type bool or of an enumeration, so
/// that results which no path returns do not exist. The fact is what the caller of this class makes of it.
/// </remarks>
/// <param name="buffer">The parameter with the buffer, or for it.</param>
/// <param name="change">Returns the fact after an operation, given the facts about values before it; null if it stays.</param>
/// <param name="source">Returns the fact about a value that is no variable.</param>
/// <param name="split">Returns the fact for each result of a call; null if it is the same for all.</param>
internal sealed class ResultPaths(
    IParameterSymbol buffer,
    Func<IOperation, Func<IOperation, BufferFact>, BufferFact?> change,
    Func<IOperation, BufferFact> source,
    Func<IInvocationOperation, IReadOnlyDictionary<object, BufferFact>?> split)
{
    /// <summary>The most states that are followed, over all blocks.</summary>
    private const int MostStates = 300;

    /// <summary>What is known of nothing, and of a value that is no constant.</summary>
    private const char Unknown = '\0';

    /// <summary>The first code of a constant; those below are facts.</summary>
    private const char FirstConstant = (char)32;

    private readonly List<object> _slots = [buffer];
    private readonly List<object> _constants = [];
    private readonly Stack<(BasicBlock Block, string State)> _open = [];
    private readonly HashSet<(int Block, string State)> _seen = [];
    private readonly Dictionary<object, HashSet<BufferFact>> _results = [];
    private readonly HashSet<BufferFact> _ofUnknown = [];

    /// <summary>Returns whether the result of a method can say what it did: it is a bool, or a value of an enumeration.</summary>
    internal static bool MayTell(IMethodSymbol method) =>
        !method.IsAsync && method.ReturnType is { SpecialType: SpecialType.System_Boolean } or { TypeKind: TypeKind.Enum };

    /// <summary>Returns the facts for each result of a method; null if a result is not known, or there are too many paths.</summary>
    internal IReadOnlyDictionary<object, HashSet<BufferFact>>? Follow(IOperation body, BufferFact before)
    {
        if (body is not IMethodBodyOperation method || !TryRun(ControlFlowGraph.Create(method), before))
        {
            return null;
        }

        if (_ofUnknown.Count > 0)
        {
            if (buffer.ContainingSymbol is not IMethodSymbol { ReturnType.SpecialType: SpecialType.System_Boolean })
            {
                return null;
            }

            ResultOf(true).UnionWith(_ofUnknown);
            ResultOf(false).UnionWith(_ofUnknown);
        }

        return _results;
    }

    private bool TryRun(ControlFlowGraph graph, BufferFact before)
    {
        Enter(graph.Blocks[0], ((char)before).ToString());
        while (_open.Count > 0)
        {
            (BasicBlock block, string state) = _open.Pop();
            if (_seen.Count > MostStates || !TryRun(block, state, graph))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryRun(BasicBlock block, string state, ControlFlowGraph graph)
    {
        Throw(block, state, graph);
        foreach (IOperation operation in block.Operations)
        {
            state = Visit(operation, state);
            Throw(block, state, graph);
        }

        bool isNegated = false;
        IOperation? value = block.BranchValue is { } branch ? Unwrap(branch, out isNegated) : null;
        IReadOnlyDictionary<object, BufferFact>? results = value is IInvocationOperation call ? split(call) : null;
        state = value is null || results is not null ? state : Visit(value, state);
        if (block.ConditionKind == ControlFlowConditionKind.None)
        {
            return block.FallThroughSuccessor is not { } next || (next.Semantics == ControlFlowBranchSemantics.Return
                ? TryLeave(value, isNegated, results, state, next, graph)
                : TryGo(next, state, graph));
        }

        bool isTaken = (block.ConditionKind == ControlFlowConditionKind.WhenTrue) != isNegated;
        return TryDecide(value!, isTaken, results, state, block.ConditionalSuccessor, graph)
            && TryDecide(value!, !isTaken, results, state, block.FallThroughSuccessor, graph);
    }

    /// <summary>Records the result of a return statement.</summary>
    private bool TryLeave(
        IOperation? value,
        bool isNegated,
        IReadOnlyDictionary<object, BufferFact>? results,
        string state,
        ControlFlowBranch branch,
        ControlFlowGraph graph)
    {
        if (results is not null)
        {
            foreach (KeyValuePair<object, BufferFact> one in results)
            {
                ResultOf(one.Key is bool answer ? answer != isNegated : one.Key).Add(one.Value);
            }
        }
        else
        {
            object? constant = value is null ? null : ConstantOf(value, state);
            (constant is null ? _ofUnknown : ResultOf(constant is bool answer ? answer != isNegated : constant)).Add((BufferFact)state[0]);
        }

        return ChangesNothing(branch, graph);
    }

    /// <summary>Takes the branch of a condition that has a value, unless known facts contradict it.</summary>
    private bool TryDecide(
        IOperation condition,
        bool answer,
        IReadOnlyDictionary<object, BufferFact>? results,
        string state,
        ControlFlowBranch? branch,
        ControlFlowGraph graph)
    {
        if (results is not null)
        {
            return !results.TryGetValue(answer, out BufferFact fact) || branch is null || TryGo(branch, With(state, 0, (char)fact), graph);
        }

        bool isPossible = branch is not null
            && !(ConstantOf(condition, state) is bool known && known != answer)
            && !(AsksForNull(condition, state) is { } isNull && isNull != answer);
        return !isPossible || TryGo(branch!, Assign(condition, answer, state), graph);
    }

    private bool TryGo(ControlFlowBranch branch, string state, ControlFlowGraph graph)
    {
        if (branch is { Semantics: ControlFlowBranchSemantics.Regular, Destination: { } target })
        {
            Enter(target, state);
            return ChangesNothing(branch, graph);
        }

        return true;
    }

    /// <summary>Enters every handler around a block: each operation may throw.</summary>
    private void Throw(BasicBlock block, string state, ControlFlowGraph graph)
    {
        for (ControlFlowRegion? region = block.EnclosingRegion; region is not null; region = region.EnclosingRegion)
        {
            if (region is { Kind: ControlFlowRegionKind.Try, EnclosingRegion: { Kind: ControlFlowRegionKind.TryAndCatch } whole })
            {
                foreach (ControlFlowRegion handler in whole.NestedRegions.Skip(1))
                {
                    Enter(graph.Blocks[handler.FirstBlockOrdinal], state);
                }
            }
        }
    }

    /// <summary>Returns whether the finally blocks that a branch runs through leave the buffer alone; others are not followed.</summary>
    private bool ChangesNothing(ControlFlowBranch branch, ControlFlowGraph graph) =>
        branch.FinallyRegions.IsEmpty || branch.FinallyRegions.All(region =>
            Enumerable.Range(region.FirstBlockOrdinal, region.LastBlockOrdinal - region.FirstBlockOrdinal + 1)
                .SelectMany(block => graph.Blocks[block].Operations)
                .SelectMany(static operation => operation.DescendantsAndSelf())
                .All(operation => change(operation, static _ => BufferFact.Other) is null));

    private void Enter(BasicBlock block, string state)
    {
        if (_seen.Add((block.Ordinal, state)))
        {
            _open.Push((block, state));
        }
    }

    private string Visit(IOperation operation, string state)
    {
        foreach (IOperation part in operation.DescendantsAndSelf())
        {
            string before = state;
            if (change(part, value => FactIn(value, before)) is { } fact)
            {
                state = With(state, 0, (char)fact);
            }

            state = part switch
            {
                ISimpleAssignmentOperation assignment => Assign(assignment.Target, CodeOf(assignment.Value, state), state),
                IFlowCaptureOperation capture => With(state, SlotOf(capture.Id), CodeOf(capture.Value, state)),
                IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } argument => Assign(argument.Value, Unknown, state),
                IAssignmentOperation other => Assign(other.Target, Unknown, state),
                _ => state,
            };
        }

        return state;
    }

    private string Assign(IOperation target, char code, string state) => KeyOf(target) is { } key ? With(state, SlotOf(key), code) : state;

    private string Assign(IOperation condition, bool answer, string state) => Assign(condition, CodeOf(answer), state);

    /// <summary>Returns what a condition that tests the buffer for null says; null if that is not known.</summary>
    private bool? AsksForNull(IOperation condition, string state)
    {
        (IOperation? tested, bool isForNull) = condition switch
        {
            IIsNullOperation test => (test.Operand, true),
            IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals } equal when KnownSymbols.IsNull(equal.RightOperand) =>
                (equal.LeftOperand, true),
            IBinaryOperation { OperatorKind: BinaryOperatorKind.NotEquals } equal when KnownSymbols.IsNull(equal.RightOperand) =>
                (equal.LeftOperand, false),
            IIsPatternOperation { Pattern: IConstantPatternOperation { Value: var value } } test when KnownSymbols.IsNull(value) =>
                (test.Value, true),
            IIsPatternOperation { Pattern: INegatedPatternOperation { Pattern: IConstantPatternOperation { Value: var value } } } test
                when KnownSymbols.IsNull(value) => (test.Value, false),
            _ => ((IOperation?)null, false),
        };
        BufferFact fact = tested is null ? BufferFact.Other : FactIn(tested, state);
        return fact switch
        {
            BufferFact.Null => isForNull,
            BufferFact.Rented or BufferFact.Fresh => !isForNull,
            _ => null,
        };
    }

    private BufferFact FactIn(IOperation value, string state) =>
        KnownSymbols.WithoutConversions(value) switch
        {
            IParameterReferenceOperation { Parameter: { } used } when SymbolEqualityComparer.Default.Equals(used, buffer) =>
                (BufferFact)state[0],
            IFlowCaptureReferenceOperation capture =>
                _slots.IndexOf(capture.Id) is > 0 and int slot && slot < state.Length && state[slot] < FirstConstant
                    ? (BufferFact)state[slot]
                    : BufferFact.Other,
            { } other => source(other),
            null => BufferFact.Other,
        };

    private object? ConstantOf(IOperation value, string state) =>
        value.ConstantValue is { HasValue: true, Value: { } constant } ? constant
        : CodeOf(value, state) is >= FirstConstant and var code ? _constants[code - FirstConstant]
        : null;

    private char CodeOf(IOperation value, string state)
    {
        IOperation inner = Unwrap(value, out bool isNegated);
        if (inner.ConstantValue is { HasValue: true, Value: { } constant })
        {
            return CodeOf(constant is bool answer ? answer != isNegated : constant);
        }

        if (KeyOf(inner) is { } key && _slots.IndexOf(key) is > 0 and int slot && slot < state.Length)
        {
            return !isNegated || state[slot] < FirstConstant ? state[slot] : CodeOf(!(bool)_constants[state[slot] - FirstConstant]);
        }

        return (char)FactIn(inner, state);
    }

    private char CodeOf(object constant)
    {
        int index = _constants.IndexOf(constant);
        if (index < 0)
        {
            index = _constants.Count;
            _constants.Add(constant);
        }

        return (char)(FirstConstant + index);
    }

    private static object? KeyOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation { Local: { Type: { SpecialType: SpecialType.System_Boolean } or { TypeKind: TypeKind.Enum } } local } =>
            local,
        IFlowCaptureReferenceOperation capture => capture.Id,
        _ => null,
    };

    private static IOperation Unwrap(IOperation value, out bool isNegated)
    {
        isNegated = false;
        while (true)
        {
            switch (value)
            {
                case IConversionOperation { OperatorMethod: null, Operand: var operand }:
                    value = operand;
                    break;
                case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not, OperatorMethod: null, Operand: var operand }:
                    value = operand;
                    isNegated = !isNegated;
                    break;
                default:
                    return value;
            }
        }
    }

    private int SlotOf(object key)
    {
        int slot = _slots.IndexOf(key);
        if (slot < 0)
        {
            slot = _slots.Count;
            _slots.Add(key);
        }

        return slot;
    }

    private static string With(string state, int slot, char code)
    {
        char[] codes = state.PadRight(slot + 1, Unknown).ToCharArray();
        codes[slot] = code;
        string changed = new string(codes).TrimEnd(Unknown);
        return changed.Length == 0 ? Unknown.ToString() : changed;
    }

    private HashSet<BufferFact> ResultOf(object result) =>
        _results.TryGetValue(result, out HashSet<BufferFact>? facts) ? facts : _results[result] = [];
}
