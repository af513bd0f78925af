using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Follows the paths of one method through its control-flow graph, exceptions and finally blocks included.</summary>
/// <remarks>
/// Each state is followed once at each block: paths join where all known facts are equal, and stay separate as long as they differ, so that
/// a condition tested twice has one result. A method with too many states is skipped.
/// </remarks>
internal sealed class Explorer
{
    /// <summary>The most states followed, over all blocks.</summary>
    internal const int MostStates = 1500;

    /// <summary>The most operations visited, over all states: long blocks take longer than short ones.</summary>
    internal const int MostOperations = 30_000;

    private readonly ControlFlowGraph _graph;
    private readonly Interpreter _interpreter;
    private readonly Assumptions _assumptions;
    private readonly PathEnds _ends;
    private readonly VariableTable _variables;
    private readonly ResourceTable _resources;
    private readonly LoopTable _loops;
    private readonly Origins _origins;
    private readonly BufferSlice _slice;
    private readonly ConditionTable _conditions;
    private readonly Queue<(BasicBlock Block, FlowState State)> _open = new();
    private readonly HashSet<FlowState>[] _seen;

    /// <summary>The names of the locals whose scope a branch leaves, cached because every path that takes it needs them.</summary>
    private readonly Dictionary<ControlFlowBranch, HashSet<string>> _left = [];

    private BasicBlock _block;

    internal Explorer(ControlFlowGraph graph, MethodContext context, Interpreter interpreter, Assumptions assumptions, PathEnds ends)
    {
        _graph = graph;
        _interpreter = interpreter;
        _assumptions = assumptions;
        _ends = ends;
        _variables = context.Variables;
        _resources = context.Resources;
        _origins = context.Origins;
        _slice = context.Slice;
        _conditions = context.Conditions;
        _loops = new LoopTable(graph);
        _seen = new HashSet<FlowState>[graph.Blocks.Length];
        _block = graph.Blocks[0];
    }

    /// <summary>Gets the number of states that were found.</summary>
    internal int States { get; private set; }

    /// <summary>Gets the number of operations that were visited.</summary>
    internal int Operations { get; private set; }

    /// <summary>Follows all paths; returns false if there are too many.</summary>
    internal bool TryRun()
    {
        _interpreter.MayThrow = (operation, state) => Raise(state, _block.EnclosingRegion, operation.Syntax, isVisible: false);
        Enter(_graph.Blocks[0], new FlowState());
        while (_open.Count > 0)
        {
            if (States > MostStates || Operations > MostOperations)
            {
                return false;
            }

            (BasicBlock block, FlowState state) = _open.Dequeue();
            _block = block;
            Operations += block.Operations.Length + 1;
            Run(block, state.Copy());
        }

        return true;
    }

    private void Run(BasicBlock block, FlowState state)
    {
        if (block.Kind == BasicBlockKind.Exit)
        {
            _ends.Leave(state);
            return;
        }

        foreach (IOperation operation in block.Operations)
        {
            _interpreter.Visit(operation, state);
            if (state.HasEnded)
            {
                return;
            }
        }

        if (block.ConditionKind == ControlFlowConditionKind.None || block.BranchValue is null)
        {
            if (block.BranchValue is { } value)
            {
                Value result = _interpreter.Visit(value, state);
                if (state.HasEnded)
                {
                    return;
                }

                if (block.FallThroughSuccessor?.Semantics == ControlFlowBranchSemantics.Return)
                {
                    _ends.Return(value, result, state);
                }
            }

            Follow(block, block.FallThroughSuccessor, state);
            return;
        }

        Value condition = _interpreter.Visit(block.BranchValue, state);
        if (state.HasEnded)
        {
            return;
        }

        bool isTaken = block.ConditionKind == ControlFlowConditionKind.WhenTrue;
        Decide(block, condition, block.ConditionalSuccessor, block.FallThroughSuccessor, isTaken, state.Copy());
        Decide(block, condition, block.FallThroughSuccessor, block.ConditionalSuccessor, !isTaken, state);
    }

    /// <summary>Takes one branch of a condition if known facts allow it.</summary>
    private void Decide(
        BasicBlock block, Value condition, ControlFlowBranch? taken, ControlFlowBranch? other, bool value, FlowState state)
    {
        if (condition.Kind == (value ? ValueKind.False : ValueKind.True)
            || (condition.Kind == ValueKind.Outcome && !_assumptions.TryAssume(condition, value, state)))
        {
            return;
        }

        if (_slice.Decides(block) && !_assumptions.TryAssume(block.BranchValue!, value, state))
        {
            return;
        }

        if (_loops.GoesOn(block, taken?.Destination, other?.Destination))
        {
            Restart(state, block.Ordinal, cause: null);
        }

        Follow(block, taken, state);
    }

    private void Follow(BasicBlock block, ControlFlowBranch? branch, FlowState state)
    {
        switch (branch?.Semantics)
        {
            case ControlFlowBranchSemantics.Regular or ControlFlowBranchSemantics.Return when branch.Destination is { } target:
                if (target.Ordinal <= block.Ordinal)
                {
                    MarkLooped(state);
                }

                if (target.Kind == BasicBlockKind.Exit)
                {
                    state.Exit = block.Ordinal;
                    _ends.Place(block);
                }
                else if (branch.FinallyRegions.IsEmpty)
                {
                    LeaveScopes(branch, state);
                }

                Go(target, branch.FinallyRegions, state);
                break;
            case ControlFlowBranchSemantics.StructuredExceptionHandling when state.Continuation is { } continuation:
                Resume(continuation, state);
                break;
            case ControlFlowBranchSemantics.Throw when ThrowSyntax.IsExit(KnownSymbols.WithoutConversions(block.BranchValue)):
                state.Exit = block.Ordinal;
                _ends.Place(block);
                Raise(state, block.EnclosingRegion, block.BranchValue!.Syntax, isVisible: true);
                break;
            case ControlFlowBranchSemantics.StructuredExceptionHandling
                or ControlFlowBranchSemantics.Throw
                or ControlFlowBranchSemantics.Rethrow:
                Raise(state, block.EnclosingRegion, block.BranchValue?.Syntax, isVisible: false);
                break;
        }
    }

    /// <summary>Leaves the scopes of variables, at the end of the block that declares them or by a jump out of it.</summary>
    private void LeaveScopes(ControlFlowBranch branch, FlowState state)
    {
        if (!_left.TryGetValue(branch, out HashSet<string>? locals))
        {
            locals = [.. branch.LeavingRegions.SelectMany(static region => region.Locals).Select(static local => local.Name)];
            _left.Add(branch, locals);
        }

        if (locals.Count > 0)
        {
            _ends.LeaveScope(locals, Exits.OfScope(branch), state);
        }
    }

    /// <summary>Goes to a block through each finally block on the way.</summary>
    private void Go(BasicBlock target, ImmutableArray<ControlFlowRegion> through, FlowState state)
    {
        if (through.IsDefaultOrEmpty)
        {
            Enter(target, state);
            return;
        }

        Continuation? inner = null;
        for (int i = through.Length - 1; i >= 0; i--)
        {
            inner = new Continuation(through[i], inner is null ? target : null, inner, state.Continuation);
        }

        EnterFinally(inner!, state);
    }

    private void Resume(Continuation continuation, FlowState state)
    {
        if (continuation.Inner is { } inner)
        {
            EnterFinally(inner, state);
            return;
        }

        state.Continuation = continuation.Outer;
        if (continuation.Target is { } target)
        {
            Enter(target, state);
        }
        else
        {
            Raise(state, continuation.Finally.EnclosingRegion, cause: null, state.LeavesByThrow);
        }
    }

    private void EnterFinally(Continuation continuation, FlowState state)
    {
        state.Continuation = continuation;
        Enter(_graph.Blocks[continuation.Finally.FirstBlockOrdinal], state);
    }

    /// <summary>Raises an exception out of a region, to every handler that may catch it or through the next finally block.</summary>
    /// <param name="state">The state.</param>
    /// <param name="region">The region.</param>
    /// <param name="cause">What throws.</param>
    /// <param name="isVisible">Whether a throw statement does, which is an exit of the method unless a handler may catch it.</param>
    private void Raise(FlowState state, ControlFlowRegion? region, SyntaxNode? cause, bool isVisible)
    {
        Continuation? continuation = state.Continuation;

        // The root of a lambda's graph is in a region of the outer graph, whose handlers do not catch the lambda's exceptions.
        for (; region is not null && region.Kind != ControlFlowRegionKind.Root; region = region.EnclosingRegion)
        {
            if (continuation is not null && continuation.Finally == region)
            {
                // An exception of a finally block: where the path would have gone from its end does not matter any more.
                continuation = continuation.Outer;
            }

            if (region.Kind != ControlFlowRegionKind.Try || region.EnclosingRegion is not { } whole)
            {
                continue;
            }

            if (whole.Kind == ControlFlowRegionKind.TryAndFinally)
            {
                ControlFlowRegion handler = whole.NestedRegions[1];
                FlowState thrown = state.Copy();
                thrown.LeavesByThrow = isVisible;
                Restart(thrown, handler.FirstBlockOrdinal, cause ?? _graph.OriginalOperation.Syntax);
                EnterFinally(new Continuation(handler, Target: null, Inner: null, continuation), thrown);
                return;
            }

            bool isCaught = false;
            foreach (ControlFlowRegion handler in whole.NestedRegions)
            {
                if (handler.Kind is ControlFlowRegionKind.Catch or ControlFlowRegionKind.FilterAndHandler)
                {
                    FlowState thrown = state.Copy();
                    thrown.Continuation = continuation;
                    thrown.LeavesByThrow = isVisible = false;
                    Restart(thrown, handler.FirstBlockOrdinal, cause ?? _graph.OriginalOperation.Syntax);
                    Enter(_graph.Blocks[handler.FirstBlockOrdinal], thrown);
                    isCaught |= handler.Kind == ControlFlowRegionKind.Catch && Handlers.TakesAll(handler);
                }
            }

            if (isCaught)
            {
                return;
            }

            if (whole.NestedRegions.Any(Handlers.TakesCancellation))
            {
                state = state.WithoutDoubt();
            }
        }

        _ends.LeaveByException(state, _resources.IsRent(cause), isVisible);
    }

    /// <summary>Restarts paths with returned resources at a handler, or in a loop that began another iteration since the return.</summary>
    private void Restart(FlowState state, int block, SyntaxNode? cause)
    {
        if (_slice.IsCoarse)
        {
            // Whether a real path comes here at all depends on conditions that are forgotten.
            return;
        }

        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            if (!resource.IsReturned || resource.Origin == Origins.Settled || (cause is null && !resource.HasLooped))
            {
                continue;
            }

            // What follows the exception of a rent, such as one of another finally block, needs the rent to throw too.
            bool isRent = _resources.IsRent(cause) || _origins.IsOfRent(resource.Origin);
            if (cause is not null && _origins.IsRestart(resource.Origin))
            {
                // The path left the previous handler without misuse.
                _origins.EndClean(resource.Origin);
            }

            int restarted = _origins.Restart(resource.Origin, block, cause, isRent);
            state.SetResource(i, resource with { Origin = restarted, HasLooped = false });
        }
    }

    /// <summary>
    /// Settles returned resources that nothing after a block can use: where they were returned, and which exceptions led there, does not
    /// matter.
    /// </summary>
    private void Settle(int block, FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            if (resource.IsReturned
                && resource.Origin != Origins.Settled
                && _resources[i].Kind != BufferKind.Message
                && !state.IsPending(i) && !state.Result.Has(i)
                && !_variables.MayUse(i, block, state))
            {
                _origins.EndClean(resource.Origin);
                state.Forget(i);
                state.SetResource(
                    i, new ResourceState(ResourceStatus.Returned) { Origin = Origins.Settled, Borrowers = resource.Borrowers });
            }
        }
    }

    /// <summary>Forgets arrays of other code that no variable refers to: whoever reads the field again gets another array.</summary>
    private void Lose(FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            if (state.GetResource(i) is { Status: ResourceStatus.Foreign, IsOrphaned: false }
                && _resources[i].Kind == BufferKind.Array
                && !state.IsPending(i) && !state.Refers(i))
            {
                state.SetResource(i, default);
            }
        }
    }

    private static void MarkLooped(FlowState state) =>
        state.Change(ulong.MaxValue, static resource => resource.IsReturned ? resource with { HasLooped = true } : resource);

    private void Enter(BasicBlock block, FlowState state)
    {
        _variables.LeaveScopes(block.Ordinal, state);
        _conditions.LeaveTested(block.Ordinal, _slice, state);
        Settle(block.Ordinal, state);
        Lose(state);
        if (_slice.IsCoarse)
        {
            state.KeepLives();
        }

        if ((_seen[block.Ordinal] ??= []).Add(state))
        {
            States++;
            _open.Enqueue((block, state));
        }
    }
}
