using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>Visits operations that run other code: calls, constructors, awaits and lambdas.</content>
internal sealed partial class Interpreter
{
    public override Value VisitInvocation(IInvocationOperation operation, FlowState state)
    {
        CallFacts facts = _context.FactsOf(operation);
        if (facts.IsDispose)
        {
            _transitions.DisposeOwner(operation, Visit(operation.Instance!, state), state);
            return Value.Unknown;
        }

        if (facts.Returned is { } returned)
        {
            Return(operation, returned, state);
            return Value.Unknown;
        }

        if (facts.Rent is { IsInTask: false } rent)
        {
            return Rent(operation, rent, state);
        }

        if (facts.OnRing is { } onRing)
        {
            return onRing.Grows ? CallOnWriter(operation, onRing, state) : CallOnRing(operation, onRing, state);
        }

        if (KnownSymbols.IsEquality(operation.TargetMethod))
        {
            Value one = Visit(operation.Instance ?? operation.Arguments[0].Value, state);
            Value other = Visit(operation.Arguments[operation.Arguments.Length - 1].Value, state);
            return _assumptions.AreSame(one, other, state) is { } areSame ? Value.Of(areSame) : Value.Unknown;
        }

        Value instance = VisitOptional(operation.Instance, state);
        StartedWork.Wait(operation.TargetMethod, instance, state);
        if (IsDisposeOfOwner(operation, instance))
        {
            _transitions.DisposeOwner(operation, instance, state);
            return Value.Unknown;
        }

        return instance.Kind == ValueKind.Work ? CallOnWork(operation, instance, state)
            : _builders.IsBuilder(instance) ? CallOnBuilder(operation, instance, state)
            : Call(operation, instance, state);
    }

    public override Value VisitObjectCreation(IObjectCreationOperation operation, FlowState state)
    {
        ulong returned = state.Returned;
        ulong passed = PassArguments(operation.Arguments, state).Resources;

        // Memory over an array throws only if its bounds are wrong, which is no path that a program takes.
        if (!KnownSymbols.IsTask(operation.Type) && !KnownSymbols.IsMemory(operation.Type))
        {
            MayThrow(operation, Without(state.Returned & ~returned, state));
        }

        VisitOptional(operation.Initializer, state);
        return _context.Known.MakesBuilder(operation)
            ? _builders.Make(operation, state)
            : _made.Make(operation, passed, state) ?? _results.Of(operation, passed, state);
    }

    private Value CallOnBuilder(IInvocationOperation operation, Value builder, FlowState state)
    {
        Value result = Call(operation, builder, state);
        _builders.Call(operation, builder, state);
        return result;
    }

    public override Value VisitAwait(IAwaitOperation operation, FlowState state)
    {
        Value value = Visit(operation.Operation, state);
        StartedWork.Await(operation, value, state);
        MayThrow(operation, value.Kind == ValueKind.Work ? PendingWork.Await(value, state) : state);
        _stores.ForgetFields(state);
        return _context.Known.IsBuffer(operation.Type) ? HandedOut(operation.Operation, element: 0, name: null, state) : Value.Unknown;
    }

    /// <summary>Assigns the rented buffers in the tuple that an own method hands out.</summary>
    private void AssignHandedOut(IOperation source, IOperation target, FlowState state)
    {
        IOperation made = KnownSymbols.WithoutConversions(source) is IAwaitOperation { Operation: var waited } ? waited : source;
        if (target is not ITupleOperation { Elements: { } targets })
        {
            return;
        }

        bool isFirst = true;
        for (int i = 0; i < targets.Length; i++)
        {
            IOperation variable = targets[i] is IDeclarationExpressionOperation declared ? declared.Expression : targets[i];
            if (variable is ILocalReferenceOperation { Local.Name: var name }
                && HandedOut(made, i, name, state, isFirst ? null : variable.Syntax) is { IsOfResource: true } value)
            {
                _access.Assign(variable, value, state);
                isFirst = false;
            }
        }
    }

    /// <summary>
    /// Returns the buffer that a call hands out in a task or a tuple: as it is declared, or because an own method rented it.
    /// </summary>
    /// <param name="source">The call, or the task that it started.</param>
    /// <param name="element">The element of the tuple.</param>
    /// <param name="name">The variable that gets it; null if it is the result itself.</param>
    /// <param name="state">The state.</param>
    /// <param name="site">The place that stands for it beside another buffer of the same call; null for the call.</param>
    private Value HandedOut(IOperation source, int element, string? name, FlowState state, SyntaxNode? site = null)
    {
        if (BufferSources.CallOf(source) is not { } call
            || RentOf(call, element) is not { } rent
            || _context.Resources.IndexOf(site ?? call.Syntax, rent, name) is not (>= 0 and int resource))
        {
            return Value.Unknown;
        }

        _transitions.Acquire(resource, ResourceStatus.Rented, state);
        return Value.Whole(resource);
    }

    private RentCall? RentOf(IInvocationOperation call, int element) =>
        element == 0 && _context.Known.AsRent(call) is { IsInTask: true } rent
            ? rent
            : _context.Summaries.ResultOf(call.TargetMethod)?.RentOf(call, element, _context.Known);

    public override Value VisitFlowAnonymousFunction(IFlowAnonymousFunctionOperation operation, FlowState state)
    {
        ulong captured = 0;
        foreach ((int index, string name, bool isOnlyDisposed) in _context.Variables.ReadBy(operation.Syntax, operation.Symbol))
        {
            Value value = state.GetVariable(index);
            if (value.IsOfResource && !_context.Variables.Captured.Borrows(operation.Syntax, name))
            {
                // A lambda that only disposes keeps nothing, because an owner may be disposed again.
                captured |= isOnlyDisposed ? 0 : value.Resources;
                state.Escape(value);
            }
            else if (value.IsOfResource && operation.Syntax.Parent is not EqualsValueClauseSyntax)
            {
                _transitions.Use(operation, value, state);
            }
        }

        return captured == 0 ? Value.NotNull : new Value(ValueKind.Holder, captured);
    }

    /// <summary>
    /// Visits a lambda that becomes a delegate, which wraps the captured buffers unless the lambda returns them to a pool.
    /// </summary>
    public override Value VisitDelegateCreation(IDelegateCreationOperation operation, FlowState state)
    {
        Value target = Visit(operation.Target, state);
        _transitions.Use(operation.Target, target, state);
        bool isWrapper = operation.Target is IFlowAnonymousFunctionOperation { Syntax: var function }
            && target.IsOfResource
            && !Closures.GiveBack(function);
        return isWrapper ? Value.Wrapped(target.Resources) : Value.NotNull;
    }

    public override Value VisitEventAssignment(IEventAssignmentOperation operation, FlowState state)
    {
        Value handler = Visit(operation.HandlerValue, state);
        _stores.RecordHandler(operation, handler, state);
        return Value.Unknown;
    }

    /// <summary>Returns whether a call disposes an owner, whatever the type of the variable with it.</summary>
    private bool IsDisposeOfOwner(IInvocationOperation call, Value instance) =>
        instance.Kind == ValueKind.Whole
        && _context.Resources[instance.Resource] is { Kind: not (BufferKind.Array or BufferKind.Block) } owner
        && call.TargetMethod is { Name: { } name, Parameters.Length: 0 }
        && (name is "Dispose" or "DisposeAsync" || (name == "Close" && owner.Rent is { IsStream: true }));

    private void Return(IInvocationOperation operation, IArgumentOperation returned, FlowState state)
    {
        _context.Resources.RecordShape(operation, _context.Known);
        VisitOptional(operation.Instance, state);
        Value value = Value.Unknown;
        foreach (IArgumentOperation argument in operation.Arguments)
        {
            Value visited = Visit(argument.Value, state);
            value = ReferenceEquals(argument, returned) ? visited : value;
        }

        _transitions.Return(operation, returned, value, state);
        _made.RecordReturn(value, state);
    }

    private Value Rent(IInvocationOperation operation, RentCall rent, FlowState state)
    {
        Value instance = VisitOptional(operation.Instance, state);
        _transitions.Use(operation.Instance ?? operation, instance, state);
        PassArguments(operation.Arguments, state);
        if (rent.TakesFromReceiver)
        {
            state.Transfer(instance);
        }

        int resource = _context.Resources.IndexOf(operation, rent, name: null);
        _context.Resources.RecordShape(operation, _context.Known);
        MayThrow(operation, state);
        if (!KnownSymbols.IsOfBaseLibrary(operation.TargetMethod))
        {
            _stores.ForgetFields(state);
        }

        if (resource < 0)
        {
            return Value.NotNull;
        }

        _transitions.Acquire(resource, ResourceStatus.Rented, state);
        if (KeptParts.IsAllOf(operation, rent.Kind))
        {
            _context.Exits.KeptForever(_context.Resources[resource]);
        }

        return Value.Whole(resource);
    }

    private Value CallOnWork(IInvocationOperation operation, Value work, FlowState state)
    {
        PassArguments(operation.Arguments, state);
        if (!KnownSymbols.OnlyWrapsTask(operation.TargetMethod))
        {
            MayThrow(operation, state);
        }

        return PendingWork.Call(operation, work, state);
    }

    private Value Call(IInvocationOperation operation, Value instance, FlowState state)
    {
        bool isExtended = instance.IsOfResource && ExtensionBlocks.HasReceiver(operation.TargetMethod);
        if (operation.Instance is { } receiver
            && !isExtended
            && !(instance.Kind == ValueKind.Holder && Sinks.IsQuietDispose(operation)))
        {
            _transitions.Use(receiver, instance, state);
        }

        _made.Expose(operation.Type, instance, state);
        _made.LetGo(operation, instance, state);
        ulong returned = state.Returned;
        bool isGuard = KnownSymbols.IsGuard(operation.TargetMethod);
        Passed passed = isGuard ? Passed.Nothing : PassArguments(operation.Arguments, state);
        if (isGuard)
        {
            VisitAll(operation.Arguments, state);
        }

        if (isExtended && _passing.PassReceiver(operation, instance, state) is { IsOfResource: true } handedBack)
        {
            passed = passed with { HandedBack = handedBack };
        }

        if (operation.Instance is not null)
        {
            CallOn(operation, instance, passed.Resources, state);
        }

        passed = passed with { Resources = passed.Resources | _closures.Run(operation, state) };

        if (!KnownSymbols.NeverThrows(operation.TargetMethod)
            && !MethodEndings.EndsProcess(operation.TargetMethod))
        {
            MayThrow(operation, Without((state.Returned & ~returned) | _context.Outcomes.HandedOutBy(operation.Syntax), state));
        }

        state.HasEnded |= _context.FactsOf(operation).NeverReturns;

        _stores.RecordCall(operation, state);
        _assumptions.AssumeEnsured(operation.Arguments, state);
        return _made.HandsOutItself(operation, instance) ? instance
            : _context.Outcomes.ResultOf(operation.Syntax) is { Kind: ValueKind.Outcome } outcome ? outcome
            : _results.Of(operation, instance, passed, state);
    }

    /// <summary>
    /// Returns the state after an exception in a callee that returns or hands out some buffers, a bit for each: whether it had returned
    /// them before it threw is not known, and it handed out none.
    /// </summary>
    private static FlowState Without(ulong resources, FlowState state)
    {
        if (resources == 0)
        {
            return state;
        }

        FlowState thrown = state.Copy();
        for (int i = 0; i < thrown.ResourceCount; i++)
        {
            if ((resources & (1UL << i)) != 0)
            {
                thrown.Forget(i);
            }
        }

        return thrown;
    }

    private void CallOn(IInvocationOperation operation, Value instance, ulong passed, FlowState state)
    {
        IMethodSymbol method = operation.TargetMethod;
        if (instance.IsOfResource && Sinks.FillsAll(method))
        {
            BufferContents.RecordFilled(instance.Resources, instance.IsToEnd ? method : null, state);
        }

        _oversized.CheckReceiver(operation, instance, passed, state);
    }

    /// <summary>Visits and passes arguments.</summary>
    private Passed PassArguments(ImmutableArray<IArgumentOperation> arguments, FlowState state)
    {
        // The callee runs when all arguments have their values.
        Value[] values = new Value[arguments.Length];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = Visit(arguments[i].Value, state);
        }

        ulong before = state.Returned;
        ulong passed = 0;
        Value handedBack = Value.Unknown;
        for (int i = 0; i < values.Length; i++)
        {
            passed |= _passing.Pass(arguments[i], values[i], state);
            if (values[i].IsOfResource && (_context.Summaries.HandsBack(arguments[i]) || KnownSymbols.IsSameObject(arguments[i])))
            {
                handedBack = values[i];
            }
        }

        // What the callee itself returns to a pool is not in its result, nor used by its task after that.
        passed &= before | ~state.Returned;

        if (arguments.Any(argument => argument.Parameter?.RefKind == RefKind.Out && KnownSymbols.IsMemory(argument.Parameter.Type)))
        {
            // The callee may set the out parameter to memory of its arguments.
            state.Escape(new Value(ValueKind.Part, passed));
        }

        return new Passed(passed, handedBack);
    }

    private void VisitAll(ImmutableArray<IArgumentOperation> arguments, FlowState state)
    {
        foreach (IArgumentOperation argument in arguments)
        {
            Visit(argument.Value, state);
        }
    }

    private Value VisitOptional(IOperation? operation, FlowState state) => operation is null ? Value.Unknown : Visit(operation, state);
}
