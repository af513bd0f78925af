using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Flow;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Fields;

/// <summary>What the body of one method does to the fields of its object.</summary>
internal sealed class DisposeBody
{
    private readonly ImmutableArray<IOperation> _blocks;
    private readonly KnownSymbols _known;
    private readonly Dictionary<ILocalSymbol, ISymbol> _copies = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ILocalSymbol> _elements = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _touched = new(SymbolEqualityComparer.Default);
    private readonly List<(ISymbol Field, bool? Value)> _values = [];
    private readonly HashSet<ISymbol> _written = new(SymbolEqualityComparer.Default);
    private readonly HashSet<ISymbol> _writtenAlways = new(SymbolEqualityComparer.Default);
    private readonly List<FieldReturn> _returns = [];
    private readonly List<OwnCall> _calls = [];
    private bool _isRead;
    private bool _isAllWritten;
    private bool _isHandedOver;
    private bool _callsBase;

    internal DisposeBody(IMethodSymbol method, ImmutableArray<IOperation> blocks, KnownSymbols known)
    {
        Method = method;
        _blocks = blocks;
        _known = known;
    }

    internal IMethodSymbol Method { get; }

    internal IEnumerable<IOperation> Operations => _blocks.SelectMany(static block => block.DescendantsAndSelf());

    internal IReadOnlyList<FieldReturn> Returns => Read()._returns;

    internal IReadOnlyList<OwnCall> Calls => Read()._calls;

    /// <summary>Whether unseen code receives the object.</summary>
    internal bool IsHandedOver => Read()._isHandedOver;

    /// <summary>Whether it calls methods of base classes, which may write inherited fields.</summary>
    internal bool CallsBase => Read()._callsBase;

    internal bool Writes(ISymbol field)
    {
        Read();
        return _isAllWritten || _written.Contains(field);
    }

    /// <summary>Whether a field is written after construction, other than by statements that an immutable setting may skip.</summary>
    internal bool WritesAlways(ISymbol field)
    {
        Read();
        return _isAllWritten || _writtenAlways.Contains(field);
    }

    /// <summary>Whether a flag may be set to <paramref name="value"/> after construction.</summary>
    internal bool MaySet(ISymbol flag, bool value)
    {
        Read();
        return _isAllWritten
            || _values.Any(written => written.Value != value && SymbolEqualityComparer.Default.Equals(written.Field, flag));
    }

    /// <summary>Whether a collection in a field is used for more than iteration, so that its elements may change.</summary>
    internal bool Touches(ISymbol collection)
    {
        Read();
        return _touched.Contains(collection);
    }

    /// <summary>Whether an operation is inside an if statement that only tests a setting, a field that cannot change.</summary>
    internal static bool IsBySetting(IOperation operation)
    {
        for (IOperation inner = operation; inner.Parent is { } outer; inner = outer)
        {
            if (outer is IConditionalOperation { WhenFalse: null } conditional
                && inner == conditional.WhenTrue
                && IsSetting(conditional.Condition))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether the body may throw an exception itself.</summary>
    internal bool Throws() => Operations.Any(static operation =>
        operation is IThrowOperation
            || (operation is IInvocationOperation { TargetMethod.Name: { } name } && name.StartsWith("Throw", StringComparison.Ordinal)));

    /// <summary>Returns the field of this object that an expression reads, directly or through a local.</summary>
    internal ISymbol? FieldOf(IOperation? operation)
    {
        operation = Plain(operation);
        operation = operation is IPropertyReferenceOperation { Property: { Name: "Array", ContainingType.Name: "ArraySegment" } } shown
            ? Plain(shown.Instance)
            : operation;
        return operation is ILocalReferenceOperation { Local: { } local } && _copies.TryGetValue(local, out ISymbol? field)
            ? field
            : Place(operation) ?? BufferOfStream(operation);
    }

    /// <summary>Returns the method by which a memory stream exposes its array, also after it was disposed.</summary>
    private static IMethodSymbol? BufferOfStream(IOperation? operation) => operation switch
    {
        IInvocationOperation { Instance: IInstanceReferenceOperation, TargetMethod: { Name: "GetBuffer" } method }
            when method.ContainingType.Name == "MemoryStream" && KnownSymbols.IsOfBaseLibrary(method) => method,
        _ => null,
    };

    /// <summary>Returns the field with the collection (of the base library, or an array) that a loop iterates.</summary>
    internal ISymbol? CollectionOf(IForEachLoopOperation loop)
    {
        IOperation? collection = Plain(loop.Collection);
        collection = collection is IPropertyReferenceOperation { Property.Name: "Values" } values ? Plain(values.Instance) : collection;
        return collection?.Type is IArrayTypeSymbol
            || (collection?.Type is { TypeKind: TypeKind.Class } type && KnownSymbols.IsOfBaseLibrary(type))
            ? Place(collection)
            : null;
    }

    /// <summary>Whether an expression reads an automatic property without a setter.</summary>
    internal bool IsConstant(IPropertyReferenceOperation operation) =>
        Place(operation) is IPropertySymbol { SetMethod: null or { IsInitOnly: true } };

    /// <summary>Returns the field that a call is made on.</summary>
    internal ISymbol? ReceiverOf(IInvocationOperation call)
    {
        IOperation? receiver = call.Instance;
        if (receiver is IConditionalAccessInstanceOperation)
        {
            while (receiver is not null and not IConditionalAccessOperation)
            {
                receiver = receiver.Parent;
            }

            receiver = (receiver as IConditionalAccessOperation)?.Operation;
        }

        return Place(Plain(receiver));
    }

    internal static IOperation? Plain(IOperation? operation)
    {
        while (operation is IConversionOperation { OperatorMethod: null } conversion)
        {
            operation = conversion.Operand;
        }

        return operation;
    }

    private static bool IsSetting(IOperation? condition) => Plain(condition) switch
    {
        IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } negation => IsSetting(negation.Operand),
        IFieldReferenceOperation
        {
            Field: { IsReadOnly: true, Type.SpecialType: SpecialType.System_Boolean }, Instance: IInstanceReferenceOperation,
        } => true,
        _ => false,
    };

    private ISymbol? Place(IOperation? operation) => operation switch
    {
        IFieldReferenceOperation
        {
            Instance: IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance }, Field: { } field,
        } when IsOwn(field) || IsInherited(field) => field,
        IPropertyReferenceOperation
        {
            Instance: IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance }, Property: { } property,
        }
            when IsOwn(property) && VariableTable.IsPlain(property) => property,
        IParameterReferenceOperation { Parameter: { ContainingSymbol: IMethodSymbol { MethodKind: MethodKind.Constructor } } parameter }
            when Method.MethodKind != MethodKind.Constructor => parameter,
        _ => null,
    };

    /// <summary>Whether a base class in the source has a field; what that class does with it is not read.</summary>
    internal bool IsInherited(ISymbol member)
    {
        INamedTypeSymbol? type = member is IFieldSymbol ? Method.ContainingType.BaseType : null;
        while (type is not null && !SymbolEqualityComparer.Default.Equals(type, member.ContainingType))
        {
            type = type.BaseType;
        }

        return type is { DeclaringSyntaxReferences.IsEmpty: false };
    }

    private bool IsOwn(ISymbol member) => SymbolEqualityComparer.Default.Equals(member.ContainingType, Method.ContainingType);

    private DisposeBody Read()
    {
        if (!_isRead)
        {
            _isRead = true;
            foreach (IOperation operation in Operations)
            {
                ReadCopies(operation);
            }

            foreach (IOperation operation in Operations)
            {
                ReadWrites(operation);
                ReadTouches(operation);
                ReadCalls(operation);
            }
        }

        return this;
    }

    private void ReadCopies(IOperation operation)
    {
        switch (operation)
        {
            case IVariableDeclaratorOperation { Symbol: { RefKind: RefKind.None } local } declarator:
                Copy(local, declarator.GetVariableInitializer()?.Value);
                break;
            case IIsPatternOperation { Pattern: IDeclarationPatternOperation { DeclaredSymbol: ILocalSymbol local } } declared:
                Copy(local, declared.Value);
                break;
            case IIsPatternOperation { Pattern: IRecursivePatternOperation { DeclaredSymbol: ILocalSymbol local } } recursive:
                Copy(local, recursive.Value);
                break;
            case IForEachLoopOperation
            {
                LoopControlVariable: IVariableDeclaratorOperation { Symbol: { RefKind: RefKind.None } local },
            } loop when CollectionOf(loop) is { } collection:
                _copies[local] = collection;
                _elements.Add(local);
                break;
            case IAssignmentOperation { Target: ILocalReferenceOperation { Local: { } local } }:
                _copies.Remove(local);
                break;
        }
    }

    private void Copy(ILocalSymbol local, IOperation? value)
    {
        if ((Place(Plain(value)) ?? BufferOfStream(Plain(value))) is { } field)
        {
            _copies[local] = field;
        }
    }

    private void ReadWrites(IOperation operation)
    {
        switch (operation)
        {
            case IAssignmentOperation { Target: { } target } assignment:
                Write(
                    target,
                    assignment is ISimpleAssignmentOperation && assignment.Value.ConstantValue is { HasValue: true, Value: bool value }
                        ? value
                        : null);
                if (assignment is ISimpleAssignmentOperation { IsRef: true })
                {
                    Write(assignment.Value);
                }

                break;
            case IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } argument:
                Write(argument.Value);
                break;
            case IVariableDeclaratorOperation { Symbol.RefKind: not RefKind.None } declarator:
                Write(declarator.GetVariableInitializer()?.Value);
                break;
            case IAddressOfOperation address:
                Write(address.Reference);
                break;
            case IReturnOperation { ReturnedValue: { } returned } when Method.ReturnsByRef:
                Write(returned);
                break;
        }
    }

    /// <summary>Records that a field is written after construction.</summary>
    private void WriteLater(IOperation place, ISymbol field, bool? value)
    {
        _values.Add((field, value));
        if (!IsBySetting(place))
        {
            _writtenAlways.Add(field);
        }
    }

    private static bool IsInFunction(IOperation operation)
    {
        IOperation? outer = operation;
        while (outer is not null and not (IAnonymousFunctionOperation or ILocalFunctionOperation))
        {
            outer = outer.Parent;
        }

        return outer is not null;
    }

    private void ReadTouches(IOperation operation)
    {
        if (Place(operation) is not { } field)
        {
            return;
        }

        IOperation use = operation;
        while (use.Parent is IConversionOperation or IPropertyReferenceOperation { Property.Name: "Values" })
        {
            use = use.Parent;
        }

        if (use.Parent is not (IForEachLoopOperation or IPropertyReferenceOperation { Property.Name: "Count" or "Length" }))
        {
            _touched.Add(field);
        }
    }

    private void Write(IOperation? target, bool? value = null)
    {
        switch (Plain(target))
        {
            case ITupleOperation tuple:
                foreach (IOperation element in tuple.Elements)
                {
                    Write(element);
                }

                break;
            case IInstanceReferenceOperation:
                _isAllWritten = true;
                break;
            case { } plain when Place(plain) is { } field:
                _written.Add(field);
                if (Method.MethodKind != MethodKind.Constructor || IsInFunction(plain))
                {
                    WriteLater(plain, field, value);
                }

                break;
            case IFieldReferenceOperation { Field: { } field, Instance: not (null or IInstanceReferenceOperation) } other when IsOwn(field):
                WriteLater(other, field, value);
                break;
        }
    }

    private void ReadCalls(IOperation operation)
    {
        switch (operation)
        {
            case IInvocationOperation call when _known.AsReturn(call) is { } argument && FieldOf(argument.Value) is { } field:
                _returns.Add(
                    new FieldReturn(
                        call, field, Plain(argument.Value) is ILocalReferenceOperation { Local: { } local } && _elements.Contains(local)));
                break;
            case IInvocationOperation { Instance: IInstanceReferenceOperation } call when IsOwn(call.TargetMethod):
                _calls.Add(new OwnCall(call, call.TargetMethod));
                break;
            case IInvocationOperation { Instance: IInstanceReferenceOperation }:
                _callsBase = true;
                break;
            case IPropertyReferenceOperation
            {
                Instance: IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance },
                Property: { } property,
            }
                when IsOwn(property) && !VariableTable.IsPlain(property):
                IMethodSymbol? accessor = operation.Parent is IAssignmentOperation { Target: { } target } && target == operation
                    ? property.SetMethod
                    : property.GetMethod;
                if ((accessor ?? property.GetMethod ?? property.SetMethod) is { } called)
                {
                    _calls.Add(new OwnCall(operation, called));
                }

                break;
            case IArgumentOperation argument when Plain(argument.Value) is IInstanceReferenceOperation
                && !KnownSymbols.IsOfBaseLibrary(argument.Parameter?.ContainingSymbol):
                _isHandedOver = true;
                break;
        }
    }
}
