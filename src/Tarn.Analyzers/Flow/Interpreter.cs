using System;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Visits operations and applies what each does to the state of a path.</summary>
/// <remarks>Collaborators apply the effects. They receive values, and visit nothing themselves.</remarks>
internal sealed partial class Interpreter : OperationVisitor<FlowState, Value>
{
    private readonly MethodContext _context;
    private readonly ValueLookup _values;
    private readonly BufferContents _contents;
    private readonly BufferStores _stores;
    private readonly ResourceTransitions _transitions;
    private readonly Assumptions _assumptions;
    private readonly OversizedUses _oversized;
    private readonly VariableAccess _access;
    private readonly ArgumentPassing _passing;
    private readonly CallResults _results;
    private readonly Builders _builders;
    private readonly MadeOwners _made;
    private readonly Closures _closures;

    internal Interpreter(
        MethodContext context,
        ValueLookup values,
        BufferContents contents,
        BufferStores stores,
        ResourceTransitions transitions,
        Assumptions assumptions)
    {
        _context = context;
        _values = values;
        _contents = contents;
        _stores = stores;
        _transitions = transitions;
        _assumptions = assumptions;
        _oversized = new OversizedUses(context, values);
        _access = new VariableAccess(context, contents, stores, _oversized, transitions);
        _builders = new(context, transitions);
        _made = new(context, values, transitions);
        _closures = new(context, transitions);
        _passing = new ArgumentPassing(context, contents, stores, _oversized, transitions, _access, _builders);
        _results = new CallResults(context, values);
    }

    /// <summary>Gets or sets the callback for each operation that may throw, with the state after the exception.</summary>
    internal Action<IOperation, FlowState> MayThrow { get; set; } = static (_, _) => { };

    /// <summary>Visits an operation and those inside it.</summary>
    /// <exception cref="InsufficientExecutionStackException">They are nested too deeply, as in a sum of thousands of terms.</exception>
    public override Value Visit(IOperation? operation, FlowState state)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return operation switch
        {
            { Kind: OperationKind.None, Syntax: StackAllocArrayCreationExpressionSyntax } => new Value(ValueKind.Stack, 0),
            { Kind: OperationKind.None, Syntax.Parent: EqualsValueClauseSyntax { Parent.Parent.Parent: FixedStatementSyntax } } =>
                Pin(operation, state),

            // The visitor of the compiler leaves out those that it has no name for, such as reads through pointers.
            { Kind: OperationKind.None } => DefaultVisit(operation, state),
            { Syntax: CollectionExpressionSyntax elements } =>
                ValueLookup.OfCollection(elements, operation.Type, base.Visit(operation, state)),
            _ => base.Visit(operation, state),
        };
    }

    public override Value DefaultVisit(IOperation operation, FlowState state)
    {
        ulong work = 0;
        foreach (IOperation child in operation.ChildOperations)
        {
            Value value = Visit(child, state);
            _transitions.Use(child, value, state);
            _oversized.CheckSpread(operation, child, value, state);
            work |= value.Kind == ValueKind.Work ? value.Resources : 0;
            if (operation.Type is null or { SpecialType: SpecialType.None } && child.Type?.TypeKind != TypeKind.Pointer)
            {
                // The value is not followed further.
                state.Escape(value);
            }
        }

        return work == 0 ? Value.Unknown : PendingWork.Combine(operation.Type, work, state);
    }

    /// <summary>Visits code that does not compile, for example while it is being typed. Its effects on its variables are unknown.</summary>
    public override Value VisitInvalid(IInvalidOperation operation, FlowState state)
    {
        foreach (IOperation child in operation.ChildOperations)
        {
            state.Escape(Visit(child, state));
            if (_context.Variables.IndexOf(child) is >= 0 and int index)
            {
                state.SetVariable(index, Value.Unknown);
            }
        }

        return Value.Unknown;
    }

    public override Value VisitExpressionStatement(IExpressionStatementOperation operation, FlowState state)
    {
        Visit(operation.Operation, state);
        if (PendingWork.DroppedBy(operation) is { } dropped)
        {
            // The buffer in the task is lost.
            HandedOut(dropped, element: 0, name: null, state);
        }

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

    public override Value VisitLocalReference(ILocalReferenceOperation operation, FlowState state)
    {
        Value value = _access.Read(operation, operation.Local, state);
        if (operation.Local.RefKind == RefKind.None || !value.IsOfResource || _context.Known.IsBuffer(operation.Type))
        {
            return value;
        }

        // What is read is the element.
        _transitions.Use(operation, value, state);
        return Value.Unknown;
    }

    public override Value VisitParameterReference(IParameterReferenceOperation operation, FlowState state) =>
        _access.Read(operation, operation.Parameter, state);

    public override Value VisitFieldReference(IFieldReferenceOperation operation, FlowState state)
    {
        if (operation.Instance is not null and not IInstanceReferenceOperation)
        {
            Value instance = Visit(operation.Instance, state);
            _transitions.Use(operation.Instance, instance, state);
            _made.Expose(operation.Type, instance, state);
            return Value.Unknown;
        }

        return _access.Read(operation, operation.Field, state);
    }

    public override Value VisitFlowCapture(IFlowCaptureOperation operation, FlowState state)
    {
        _context.Variables.Capture(operation.Id, operation.Value);
        if (_context.Variables.IsTarget(operation.Id))
        {
            VisitTarget(operation.Value, state);
            return Value.Unknown;
        }

        state.SetVariable(_context.Variables.IndexOf(operation.Id), Visit(operation.Value, state));
        return Value.Unknown;
    }

    public override Value VisitFlowCaptureReference(IFlowCaptureReferenceOperation operation, FlowState state) =>
        _context.Variables.IsTarget(operation.Id)
            && _context.Variables.Resolve(operation) is not IFlowCaptureReferenceOperation and var read
            ? Visit(read, state)
            : state.GetVariable(_context.Variables.IndexOf(operation.Id));

    public override Value VisitDeclarationExpression(IDeclarationExpressionOperation operation, FlowState state) => Value.Unknown;

    public override Value VisitConversion(IConversionOperation operation, FlowState state)
    {
        Value value = Visit(operation.Operand, state);
        if (operation.OperatorMethod is null || value.Kind == ValueKind.Stack)
        {
            return value;
        }

        _transitions.Use(operation.Operand, value, state);
        if (value.IsOfResource && KnownSymbols.IsMemory(operation.Type))
        {
            return value.As(ValueKind.Part);
        }

        // What the program's own conversion creates may keep the buffer.
        state.Escape(value);
        return Value.Unknown;
    }

    public override Value VisitSimpleAssignment(ISimpleAssignmentOperation operation, FlowState state)
    {
        VisitTarget(operation.Target, state);
        Value value = Visit(operation.Value, state);
        if (operation.Target is ILocalReferenceOperation { Local: { RefKind: not RefKind.None } local } target
            && !_context.Known.IsBuffer(local.Type))
        {
            return AssignReference(operation, target, value, state);
        }

        if (operation.IsRef || operation.Target is ILocalReferenceOperation { Local.RefKind: not RefKind.None })
        {
            // A variable that refers to another one: where it points to, the value may stay beyond the method.
            state.Escape(value);
            value = Value.Unknown;
        }

        _access.Assign(operation.Target, value, state);
        _contents.RecordElement(operation.Target, operation.Value, state);
        return value;
    }

    /// <summary>Visits the parts of an assignment's target; the variable itself is not read.</summary>
    private void VisitTarget(IOperation target, FlowState state)
    {
        if (_context.Variables.IndexOf(target) < 0 && target is not ILocalReferenceOperation and not IParameterReferenceOperation)
        {
            foreach (IOperation child in target.ChildOperations)
            {
                _transitions.Use(child, Visit(child, state), state);
            }
        }
    }

    public override Value VisitCompoundAssignment(ICompoundAssignmentOperation operation, FlowState state)
    {
        _oversized.RecordMeasured(_values.Peek(operation.Target, state));
        _oversized.RecordMeasured(_values.Peek(operation.Value, state));
        DefaultVisit(operation, state);
        _access.AssignUnknown(operation.Target, state);
        return Value.Unknown;
    }

    public override Value VisitIncrementOrDecrement(IIncrementOrDecrementOperation operation, FlowState state)
    {
        _oversized.RecordMeasured(Visit(operation.Target, state));
        _access.AssignUnknown(operation.Target, state);
        return Value.Unknown;
    }

    public override Value VisitDeconstructionAssignment(IDeconstructionAssignmentOperation operation, FlowState state)
    {
        IOperation target = operation.Target is IDeclarationExpressionOperation declaration ? declaration.Expression : operation.Target;
        if (target is ITupleOperation targets
            && operation.Value is ITupleOperation values
            && targets.Elements.Length == values.Elements.Length)
        {
            Value[] read = new Value[values.Elements.Length];
            for (int i = 0; i < read.Length; i++)
            {
                read[i] = Visit(values.Elements[i], state);
            }

            for (int i = 0; i < read.Length; i++)
            {
                _access.Assign(targets.Elements[i], read[i], state);
            }

            return Value.Unknown;
        }

        state.Escape(Visit(operation.Value, state));
        _access.AssignUnknown(operation.Target, state);
        AssignHandedOut(operation.Value, target, state);
        return Value.Unknown;
    }

    public override Value VisitTuple(ITupleOperation operation, FlowState state)
    {
        ulong held = 0;
        foreach (IOperation element in operation.Elements)
        {
            Value value = Visit(element, state);
            _transitions.Use(element, value, state);
            state.Escape(value);
            held |= value.IsOfResource ? value.Resources : 0;
        }

        return Value.Wrapped(held);
    }

    public override Value VisitArrayElementReference(IArrayElementReferenceOperation operation, FlowState state)
    {
        Value array = Visit(operation.ArrayReference, state);
        foreach (IOperation index in operation.Indices)
        {
            Visit(index, state);
        }

        _transitions.Use(operation.ArrayReference, array, state);
        if (!operation.Indices.IsEmpty)
        {
            // Code that is being typed may have no index yet.
            _oversized.CheckIndex(operation, operation.Indices[0], array, state);
        }

        return Value.Unknown;
    }

    public override Value VisitImplicitIndexerReference(IImplicitIndexerReferenceOperation operation, FlowState state)
    {
        Value instance = Visit(operation.Instance, state);
        Visit(operation.Argument, state);
        _transitions.Use(operation.Instance, instance, state);
        _oversized.CheckIndex(operation, operation.Argument, instance, state);
        return instance.IsOfResource && KnownSymbols.IsMemory(operation.Type)
            ? new Value(ValueKind.Part, instance.Resources) { IsToEnd = instance.IsToEnd && OversizedUses.IsRest(operation.Argument) }
            : Value.Unknown;
    }

    public override Value VisitPropertyReference(IPropertyReferenceOperation operation, FlowState state)
    {
        Value instance = VisitOptional(operation.Instance, state);
        VisitAll(operation.Arguments, state);

        if (instance.Kind == ValueKind.Work)
        {
            return PendingWork.Ask(instance, state);
        }

        _builders.RecordRead(operation, instance);
        if (_context.Variables.IndexOf(operation) >= 0)
        {
            return _access.Read(operation, operation.Property, state);
        }

        // Reading the length is harmless after the return, and counters do it.
        if (!instance.IsOfResource || operation.Property.Name is "Length" or "LongLength" or "Count" or "IsEmpty")
        {
            return operation.Property.Name is "Length" or "LongLength" ? ValueLookup.LengthOf(instance) : Value.Unknown;
        }

        if (operation.Property is { Name: "Array", ContainingType.Name: "ArraySegment" }
            && KnownSymbols.IsOfBaseLibrary(operation.Property))
        {
            return Value.Whole(instance.Resource);
        }

        _made.Expose(operation.Type, instance, state);
        _made.LetGo(operation, instance, state);
        if (!_context.Resources.IsAskedOfOwner(operation, instance))
        {
            _transitions.Use(operation.Instance!, instance, state);
        }

        if (instance.Kind == ValueKind.Whole
            && _context.Known.IsWritten(operation.Property)
            && ResourceTable.IsAssigned(operation)
            && _context.Resources.IndexOf(operation) is >= 0 and int written)
        {
            return _transitions.BeginMessage(written, instance.Resource, state);
        }

        return KnownSymbols.IsMemory(operation.Type) || operation.Type?.TypeKind == TypeKind.Pointer
            ? instance.As(ValueKind.Part)
            : Value.Unknown;
    }

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
            _transitions.Use(element, value, state);
            if (value.Kind == ValueKind.Work)
            {
                work = new Value(ValueKind.Work, work.Resources | value.Resources);
            }
            else
            {
                state.Escape(value);
            }
        }

        bool isEmpty = operation.DimensionSizes.Length == 1 && operation.DimensionSizes[0].ConstantValue is { HasValue: true, Value: 0 };
        return work.Kind == ValueKind.Work ? work : isEmpty ? Value.NotNull : Value.Fresh;
    }
}
