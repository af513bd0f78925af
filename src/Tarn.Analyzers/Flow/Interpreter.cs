using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>What each operation does to what is known on a path.</summary>
internal sealed partial class Interpreter : OperationVisitor<FlowState, Value>
{
    private readonly KnownSymbols _known;
    private readonly VariableTable _variables;
    private readonly ResourceTable _resources;
    private readonly ConditionTable _conditions;
    private readonly Origins _origins;
    private readonly Evidence _evidence;
    private readonly Exits _exits;
    private readonly SyntaxNode _method;
    private readonly BorrowerTable _borrowers;

    private readonly ValueLookup _values;
    private readonly BufferContents _contents;
    private readonly OversizedUses _oversized;

    internal Interpreter(MethodContext context)
    {
        _known = context.Known;
        _variables = context.Variables;
        _resources = context.Resources;
        _conditions = context.Conditions;
        _origins = context.Origins;
        _evidence = context.Evidence;
        _exits = context.Exits;
        _method = context.Syntax;
        _borrowers = context.Borrowers;
        _values = new ValueLookup(context);
        _contents = new BufferContents(context, _values);
        _oversized = new OversizedUses(context, _values);
    }

    /// <summary>Told of each operation that may throw, with the state it leaves behind then.</summary>
    internal Action<IOperation, FlowState> MayThrow { get; set; } = static (_, _) => { };

    public override Value Visit(IOperation? operation, FlowState state) =>
        operation switch
        {
            { Kind: OperationKind.None, Syntax: StackAllocArrayCreationExpressionSyntax } => new Value(ValueKind.Stack, 0),
            { Syntax: CollectionExpressionSyntax elements } => NewCollection(elements, operation.Type, base.Visit(operation, state)),
            _ => base.Visit(operation, state),
        };

    /// <summary>Returns the value of a collection expression. All share one empty array, which pools take and ignore.</summary>
    private static Value NewCollection(CollectionExpressionSyntax collection, ITypeSymbol? type, Value visited) =>
        visited.Kind is not (ValueKind.Unknown or ValueKind.NotNull) ? visited
        : type is not IArrayTypeSymbol ? Value.NotNull
        : collection.Elements.Count > 0 ? Value.Fresh
        : Value.Unknown;

    public override Value DefaultVisit(IOperation operation, FlowState state)
    {
        ulong work = 0;
        foreach (IOperation child in operation.ChildOperations)
        {
            Value value = Visit(child, state);
            Use(child, value, state);
            _oversized.CheckSpread(operation, child, value, state);
            work |= value.Kind == ValueKind.Work ? value.Resources : 0;
            if (operation.Type is null or { SpecialType: SpecialType.None })
            {
                // What becomes of it is not followed.
                Share(value, state);
            }
        }

        return work == 0 ? Value.Unknown : Combine(operation.Type, work, state);
    }

    /// <summary>Tasks go into something: a collection of tasks is work as they are, and of what else becomes of them nothing is known.</summary>
    private Value Combine(ITypeSymbol? type, ulong work, FlowState state)
    {
        if (_known.IsTask(type is INamedTypeSymbol { TypeArguments.Length: 1 } named ? named.TypeArguments[0] : null))
        {
            return new Value(ValueKind.Work, work);
        }

        state.Pending &= ~work;
        return Value.Unknown;
    }

    /// <summary>Code that does not compile, as while somebody types: what it would do with the variables it names is not known.</summary>
    public override Value VisitInvalid(IInvalidOperation operation, FlowState state)
    {
        foreach (IOperation child in operation.ChildOperations)
        {
            Share(Visit(child, state), state);
            if (_variables.IndexOf(child) is >= 0 and int index)
            {
                state.SetVariable(index, Value.Unknown);
            }
        }

        return Value.Unknown;
    }

    public override Value VisitExpressionStatement(IExpressionStatementOperation operation, FlowState state)
    {
        Visit(operation.Operation, state);
        return Value.Unknown;
    }

    public override Value VisitLiteral(ILiteralOperation operation, FlowState state) => operation.ConstantValue switch
    {
        { HasValue: true, Value: null } => Value.Null,
        { HasValue: true, Value: bool value } => Value.Of(value),
        _ => Value.Unknown,
    };

    public override Value VisitDefaultValue(IDefaultValueOperation operation, FlowState state) =>
        operation.Type is { IsReferenceType: true } or { TypeKind: TypeKind.Pointer } ? Value.Null : Value.Unknown;

    public override Value VisitLocalReference(ILocalReferenceOperation operation, FlowState state) => Read(operation, operation.Local, state);

    public override Value VisitParameterReference(IParameterReferenceOperation operation, FlowState state) => Read(operation, operation.Parameter, state);

    public override Value VisitFieldReference(IFieldReferenceOperation operation, FlowState state)
    {
        if (operation.Instance is not null and not IInstanceReferenceOperation)
        {
            Use(operation.Instance, Visit(operation.Instance, state), state);
            return Value.Unknown;
        }

        return Read(operation, operation.Field, state);
    }

    public override Value VisitFlowCapture(IFlowCaptureOperation operation, FlowState state)
    {
        _variables.Capture(operation.Id, operation.Value);
        state.SetVariable(_variables.IndexOf(operation.Id), Visit(operation.Value, state));
        return Value.Unknown;
    }

    public override Value VisitFlowCaptureReference(IFlowCaptureReferenceOperation operation, FlowState state) =>
        state.GetVariable(_variables.IndexOf(operation.Id));

    public override Value VisitDeclarationExpression(IDeclarationExpressionOperation operation, FlowState state) => Value.Unknown;

    public override Value VisitParenthesized(IParenthesizedOperation operation, FlowState state) => Visit(operation.Operand, state);

    public override Value VisitConversion(IConversionOperation operation, FlowState state)
    {
        Value value = Visit(operation.Operand, state);
        if (operation.OperatorMethod is null || value.Kind == ValueKind.Stack)
        {
            return value;
        }

        if (value.IsOfResource && _known.IsMemory(operation.Type))
        {
            Use(operation.Operand, value, state);
            return value.As(ValueKind.Part);
        }

        Use(operation.Operand, value, state);
        return Value.Unknown;
    }

    public override Value VisitSimpleAssignment(ISimpleAssignmentOperation operation, FlowState state)
    {
        VisitTarget(operation.Target, state);
        Value value = Visit(operation.Value, state);
        if (operation.IsRef)
        {
            Share(value, state);
            value = Value.Unknown;
        }

        Assign(operation.Target, value, state);
        _contents.RecordElement(operation.Target, operation.Value, state);
        _contents.RecordSecret(operation.Target, value, state);
        return value;
    }

    public override Value VisitCompoundAssignment(ICompoundAssignmentOperation operation, FlowState state)
    {
        _oversized.RecordMeasured(_values.Peek(operation.Target, state));
        _oversized.RecordMeasured(_values.Peek(operation.Value, state));
        DefaultVisit(operation, state);
        AssignUnknown(operation.Target, state);
        return Value.Unknown;
    }

    public override Value VisitIncrementOrDecrement(IIncrementOrDecrementOperation operation, FlowState state)
    {
        _oversized.RecordMeasured(Visit(operation.Target, state));
        AssignUnknown(operation.Target, state);
        return Value.Unknown;
    }

    public override Value VisitDeconstructionAssignment(IDeconstructionAssignmentOperation operation, FlowState state)
    {
        IOperation target = operation.Target is IDeclarationExpressionOperation declaration ? declaration.Expression : operation.Target;
        if (target is ITupleOperation targets && operation.Value is ITupleOperation values && targets.Elements.Length == values.Elements.Length)
        {
            Value[] read = new Value[values.Elements.Length];
            for (int i = 0; i < read.Length; i++)
            {
                read[i] = Visit(values.Elements[i], state);
            }

            for (int i = 0; i < read.Length; i++)
            {
                Assign(targets.Elements[i], read[i], state);
            }

            return Value.Unknown;
        }

        Share(Visit(operation.Value, state), state);
        AssignUnknown(operation.Target, state);
        return Value.Unknown;
    }

    public override Value VisitTuple(ITupleOperation operation, FlowState state)
    {
        ulong held = 0;
        foreach (IOperation element in operation.Elements)
        {
            Value value = Visit(element, state);
            Use(element, value, state);
            Share(value, state);
            held |= value.IsOfResource ? value.Resources : 0;
        }

        return Wrapped(held);
    }

    public override Value VisitAwait(IAwaitOperation operation, FlowState state)
    {
        Value value = Visit(operation.Operation, state);
        if (value.Kind != ValueKind.Work)
        {
            MayThrow(operation, state);
        }
        else
        {
            state.Pending &= ~value.Resources;
            FlowState thrown = state.Copy();
            thrown.Change(state.Doubtful & value.Resources, static resource => resource with { IsInDoubt = true });
            state.Doubtful &= ~value.Resources;
            MayThrow(operation, thrown);
        }

        ForgetFields(state);
        return Value.Unknown;
    }

    public override Value VisitArrayElementReference(IArrayElementReferenceOperation operation, FlowState state)
    {
        Value array = Visit(operation.ArrayReference, state);
        foreach (IOperation index in operation.Indices)
        {
            Visit(index, state);
        }

        Use(operation.ArrayReference, array, state);
        if (!operation.Indices.IsEmpty)
        {
            // Code that is still being typed may have no index yet.
            _oversized.CheckIndex(operation, operation.Indices[0], array, state);
        }

        return Value.Unknown;
    }

    public override Value VisitImplicitIndexerReference(IImplicitIndexerReferenceOperation operation, FlowState state)
    {
        Value instance = Visit(operation.Instance, state);
        Visit(operation.Argument, state);
        Use(operation.Instance, instance, state);
        _oversized.CheckIndex(operation, operation.Argument, instance, state);
        return instance.IsOfResource && _known.IsMemory(operation.Type)
            ? new Value(ValueKind.Part, instance.Resources) { IsToEnd = instance.IsToEnd && OversizedUses.IsRest(operation.Argument) }
            : Value.Unknown;
    }

    public override Value VisitPropertyReference(IPropertyReferenceOperation operation, FlowState state)
    {
        Value instance = operation.Instance is null ? Value.Unknown : Visit(operation.Instance, state);
        foreach (IArgumentOperation argument in operation.Arguments)
        {
            Visit(argument.Value, state);
        }

        if (instance.Kind == ValueKind.Work)
        {
            // How it stands is asked for: what the answer means is not followed.
            state.Pending &= ~instance.Resources;
            Share(instance, state);
            return Value.Unknown;
        }

        if (_variables.IndexOf(operation) >= 0)
        {
            return Read(operation, operation.Property, state);
        }

        // How long something was does no harm to ask, and is asked for counters.
        if (!instance.IsOfResource || operation.Property.Name is "Length" or "LongLength" or "Count" or "IsEmpty")
        {
            return operation.Property.Name is "Length" or "LongLength" ? ValueLookup.LengthOf(instance) : Value.Unknown;
        }

        if (operation.Property is { Name: "Array", ContainingType.Name: "ArraySegment" } && KnownSymbols.IsOfBaseLibrary(operation.Property))
        {
            return Value.Whole(instance.Resource);
        }

        if (!IsAskedOfOwner(operation, instance))
        {
            Use(operation.Instance!, instance, state);
        }

        return _known.IsMemory(operation.Type) ? instance.As(ValueKind.Part) : Value.Unknown;
    }

    /// <summary>Whether a property tells something of an owner itself, its size or name, and looks into no memory.</summary>
    private bool IsAskedOfOwner(IPropertyReferenceOperation operation, Value instance) =>
        instance.Kind == ValueKind.Whole && _resources[instance.Resource].Kind == BufferKind.Owner
        && !operation.Property.IsIndexer
        && operation.Type is { SpecialType: not SpecialType.None and not SpecialType.System_IntPtr and not SpecialType.System_UIntPtr };

    public override Value VisitArrayCreation(IArrayCreationOperation operation, FlowState state)
    {
        Value work = Value.Unknown;
        foreach (IOperation size in operation.DimensionSizes)
        {
            Visit(size, state);
        }

        foreach (IOperation element in operation.Initializer?.ElementValues ?? ImmutableArray<IOperation>.Empty)
        {
            Value value = Visit(element, state);
            Use(element, value, state);
            if (value.Kind == ValueKind.Work)
            {
                work = new Value(ValueKind.Work, work.Resources | value.Resources);
            }
            else
            {
                Share(value, state);
            }
        }

        return work.Kind == ValueKind.Work ? work : Value.Fresh;
    }

    public override Value VisitFlowAnonymousFunction(IFlowAnonymousFunctionOperation operation, FlowState state)
    {
        ulong captured = 0;
        foreach ((int index, bool isOnlyDisposed) in _variables.ReadBy(operation))
        {
            Value value = state.GetVariable(index);
            if (value.IsOfResource)
            {
                // What was disposed already may be disposed again.
                captured |= isOnlyDisposed ? 0 : value.Resources;
                Share(value, state);
            }
        }

        return captured == 0 ? Value.NotNull : new Value(ValueKind.Holder, captured);
    }

    /// <summary>A lambda is made a delegate: whoever gets it gets what it works with, unless it is there to give that back.</summary>
    public override Value VisitDelegateCreation(IDelegateCreationOperation operation, FlowState state)
    {
        Value target = Visit(operation.Target, state);
        Use(operation.Target, target, state);
        return operation.Target is IFlowAnonymousFunctionOperation { Syntax: var function } && target.IsOfResource && !GivesBack(function) ? Wrapped(target.Resources) : Value.NotNull;
    }

    private static bool GivesBack(SyntaxNode function) =>
        function.DescendantNodes().OfType<SimpleNameSyntax>().Any(static name => name.Identifier.ValueText is "Return" or "Dispose" or "DisposeAsync" or "Free");
}
