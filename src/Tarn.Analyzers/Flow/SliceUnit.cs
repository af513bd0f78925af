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

/// <summary>Describes one operation of a block: the variables that it names, and those that it assigns.</summary>
/// <remarks>A variable is a symbol, or the number of a compiler's capture.</remarks>
internal sealed class SliceUnit
{
    private SliceUnit(int block, bool isCondition)
    {
        Block = block;
        IsCondition = isCondition;
    }

    /// <summary>Gets the number of its block.</summary>
    internal int Block { get; }

    /// <summary>Gets a value indicating whether it is the condition at the end of its block.</summary>
    internal bool IsCondition { get; }

    /// <summary>Gets all variables that it names.</summary>
    internal HashSet<object> Names { get; } = [];

    /// <summary>Gets the variables that it assigns.</summary>
    internal HashSet<object> Targets { get; } = [];

    /// <summary>Gets the variables that hold a buffer because it rents or returns one.</summary>
    internal HashSet<object> Seeds { get; } = [];

    /// <summary>Gets those of them whose buffer it returns or disposes.</summary>
    internal HashSet<object> Ended { get; } = [];

    /// <summary>Gets a value indicating whether it starts a task that nothing keeps.</summary>
    internal bool DropsTask { get; private set; }

    /// <summary>Gets a value indicating whether it rents a buffer, or returns one other than by disposing its owner.</summary>
    internal bool RentsOrReturns { get; private set; }

    /// <summary>Gets the variable whose value it copies to another; null if it does more.</summary>
    internal object? Copied { get; private set; }

    /// <summary>Gets the variable that gets another value whatever happens; null if there is none.</summary>
    internal object? Replaced { get; private set; }

    /// <summary>Gets a value indicating whether it rents, returns or disposes a buffer.</summary>
    internal bool IsOfBuffers { get; private set; }

    /// <summary>Gets a value indicating whether it has a lambda.</summary>
    internal bool HasFunction { get; private set; }

    /// <summary>Gets a value indicating whether it may pass a buffer from one of its variables to another.</summary>
    internal bool Passes { get; private set; }

    /// <summary>Returns the operations of a graph.</summary>
    internal static IEnumerable<SliceUnit> Of(ControlFlowGraph graph, KnownSymbols known, MethodSummaries summaries)
    {
        List<(SliceUnit Unit, SyntaxNode Function)> functions = [];
        List<SliceUnit> units = [];
        foreach (BasicBlock block in graph.Blocks)
        {
            foreach (IOperation operation in block.Operations)
            {
                units.Add(Read(new SliceUnit(block.Ordinal, isCondition: false), operation, known, summaries, functions));
            }

            if (block.BranchValue is { } value)
            {
                bool isCondition = block.ConditionKind != ControlFlowConditionKind.None;
                units.Add(Read(new SliceUnit(block.Ordinal, isCondition), value, known, summaries, functions));
            }
        }

        ILookup<string, ISymbol> named = units.SelectMany(static unit => unit.Names).OfType<ISymbol>()
            .Distinct<ISymbol>(SymbolEqualityComparer.Default)
            .ToLookup(static symbol => symbol.Name);
        foreach ((SliceUnit unit, SyntaxNode function) in functions)
        {
            unit.Names.UnionWith(function.DescendantNodes().OfType<IdentifierNameSyntax>()
                .SelectMany(name => named[name.Identifier.ValueText]));
        }

        return units;
    }

    /// <summary>Returns whether the type of a variable allows a buffer in it, or an object with one.</summary>
    internal static bool MayCarry(object variable)
    {
        ITypeSymbol? type = TypeOf(variable);
        return type is null
            || (type.TypeKind != TypeKind.Enum
                && type.SpecialType is SpecialType.None or SpecialType.System_Object or SpecialType.System_Array
                && !IsException(variable));
    }

    /// <summary>Returns whether a variable holds an exception, which describes what happened and keeps no buffer.</summary>
    internal static bool IsException(object variable) =>
        TypeOf(variable) is { TypeKind: TypeKind.Class, Name: { } name } && name.EndsWith("Exception", StringComparison.Ordinal);

    /// <summary>Returns the type of a variable; null for a capture.</summary>
    internal static ITypeSymbol? TypeOf(object variable) => variable switch
    {
        ILocalSymbol local => local.Type,
        IParameterSymbol parameter => parameter.Type,
        IFieldSymbol field => field.Type,
        IPropertySymbol property => property.Type,
        _ => null,
    };

    private static SliceUnit Read(
        SliceUnit unit, IOperation operation, KnownSymbols known, MethodSummaries summaries, List<(SliceUnit, SyntaxNode)> functions)
    {
        bool isMaking = false;
        List<object> named = [];
        List<IInvocationOperation> calls = [];
        foreach (IOperation part in operation.DescendantsAndSelf())
        {
            if (VariableOf(part) is { } variable)
            {
                named.Add(variable);
            }

            switch (part.Kind)
            {
                case OperationKind.Invocation:
                    calls.Add((IInvocationOperation)part);
                    break;
                case OperationKind.FlowCapture:
                    IFlowCaptureOperation capture = (IFlowCaptureOperation)part;
                    unit.Assign(capture.Id, MayHold(capture.Value, summaries));
                    unit.Replaced = capture.Id;
                    unit.Copied = VariableOf(KnownSymbols.WithoutConversions(capture.Value));
                    break;
                case OperationKind.SimpleAssignment:
                    ISimpleAssignmentOperation assignment = (ISimpleAssignmentOperation)part;
                    unit.Assign(assignment.Target, MayHold(assignment.Value, summaries));
                    unit.Copied = VariableOf(KnownSymbols.WithoutConversions(assignment.Value));
                    unit.Replaced = assignment.Target is ILocalReferenceOperation or IParameterReferenceOperation
                        && assignment.Parent is null or IExpressionStatementOperation ? VariableOf(assignment.Target) : null;
                    break;
                case OperationKind.CompoundAssignment or OperationKind.CoalesceAssignment or OperationKind.DeconstructionAssignment:
                    unit.Assign(((IAssignmentOperation)part).Target, passes: true);
                    break;
                case OperationKind.Increment or OperationKind.Decrement:
                    unit.Assign(((IIncrementOrDecrementOperation)part).Target, passes: false);
                    break;
                case OperationKind.DeclarationPattern when ((IDeclarationPatternOperation)part).DeclaredSymbol is { } declared:
                    unit.Assign(declared, passes: true);
                    break;
                case OperationKind.RecursivePattern when ((IRecursivePatternOperation)part).DeclaredSymbol is { } declared:
                    unit.Assign(declared, passes: true);
                    break;
                case OperationKind.Argument:
                    IArgumentOperation argument = (IArgumentOperation)part;
                    if (argument.Parameter is { RefKind: RefKind.Ref or RefKind.Out })
                    {
                        unit.Assign(argument.Value, passes: true);
                    }

                    break;
                case OperationKind.ObjectCreation:
                    IObjectCreationOperation creation = (IObjectCreationOperation)part;
                    unit.Passes = true;
                    isMaking |= known.MakesOwner(creation) || known.MakesBuilder(creation);
                    break;
                case OperationKind.FlowAnonymousFunction:
                    unit.Passes = unit.HasFunction = true;
                    functions.Add((unit, part.Syntax));
                    break;
                case OperationKind.Tuple or OperationKind.ArrayCreation:
                    unit.Passes = true;
                    break;
                default:
                    unit.Passes |= part.Syntax is CollectionExpressionSyntax;
                    break;
            }
        }

        unit.Names.UnionWith(named);
        if (unit.Replaced is { } replaced && named.Count(replaced.Equals) > 1)
        {
            // The new value is made from the old one.
            unit.Replaced = null;
        }

        if (isMaking)
        {
            unit.IsOfBuffers = unit.RentsOrReturns = true;
            unit.Seeds.UnionWith(unit.Targets);
        }

        unit.DropsTask = operation is IExpressionStatementOperation statement && PendingWork.DroppedBy(statement) is IInvocationOperation;
        foreach (IInvocationOperation call in calls)
        {
            unit.ReadCall(call, known, summaries);
        }

        return unit;
    }

    private void ReadCall(IInvocationOperation call, KnownSymbols known, MethodSummaries summaries)
    {
        Passes |= KnownSymbols.IsAdding(call.TargetMethod);
        if (!summaries.MayConcern(call.TargetMethod, known))
        {
            return;
        }

        ReadPlaces(call, summaries);
        if (known.AsRent(call) is not null || summaries.ResultOf(call.TargetMethod) is not null)
        {
            IsOfBuffers = RentsOrReturns = true;
            Seeds.UnionWith(Targets);
        }

        if (known.AsReturn(call) is { } returned)
        {
            RentsOrReturns = true;
            Seed(returned);
        }
        else if (known.IsDispose(call))
        {
            Seed(call.Instance!);
        }
        else if (known.AsRingCall(call) is not null)
        {
            RentsOrReturns = true;
            Seed(call);
        }
        else if (summaries.MayReturn(call))
        {
            RentsOrReturns = true;
            if (ExtensionBlocks.HasReceiver(call.TargetMethod))
            {
                Seed(call.Instance!);
            }

            foreach (IArgumentOperation argument in call.Arguments)
            {
                Seed(argument);
            }
        }
    }

    /// <summary>Reads the arguments through which a method hands out a buffer or takes one back.</summary>
    private void ReadPlaces(IInvocationOperation call, MethodSummaries summaries)
    {
        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (summaries.LeavesOfPool(argument.Parameter))
            {
                RentsOrReturns = true;
                Seed(argument);
            }
        }
    }

    private void Seed(IOperation operation)
    {
        IsOfBuffers = true;
        Ended.UnionWith(operation.DescendantsAndSelf().Select(VariableOf).OfType<object>());
        Seeds.UnionWith(Ended);
    }

    /// <summary>
    /// Returns whether a value may be a buffer that its parts hold. The result of a call that is neither memory nor a task or a query is
    /// made from a buffer, if at all, and does not hold it; and a buffer that it hands out is followed to an argument only if it is that.
    /// </summary>
    private static bool MayHold(IOperation value, MethodSummaries summaries) => KnownSymbols.WithoutConversions(value) switch
    {
        IInvocationOperation call when call.Arguments.Any(summaries.HandsBack) => true,
        IAwaitOperation or IInvocationOperation => value.Type is not { } type
            || KnownSymbols.IsMemory(type)
            || KnownSymbols.IsTask(type)
            || type.TypeKind is TypeKind.Interface or TypeKind.TypeParameter or TypeKind.Pointer
            || type.SpecialType == SpecialType.System_Object
            || type.IsTupleType,
        IArrayElementReferenceOperation { Type.SpecialType: not (SpecialType.None or SpecialType.System_Object) } => false,
        ILiteralOperation => false,
        _ => true,
    };

    private void Assign(IOperation target, bool passes)
    {
        foreach (object variable in target.DescendantsAndSelf().Select(VariableOf).OfType<object>())
        {
            Assign(variable, passes);
        }
    }

    private void Assign(object variable, bool passes)
    {
        Passes |= passes;
        Names.Add(variable);
        Targets.Add(variable);
    }

    // The kind is asked, because every operation of a method comes here and a test for an interface takes longer.
    private static object? VariableOf(IOperation? operation) => operation?.Kind switch
    {
        OperationKind.LocalReference => ((ILocalReferenceOperation)operation).Local,
        OperationKind.ParameterReference => ((IParameterReferenceOperation)operation).Parameter,
        OperationKind.FieldReference => operation is IFieldReferenceOperation
        {
            Field: { IsConst: false } field, Instance: null or IInstanceReferenceOperation,
        }
            ? field
            : null,
        OperationKind.PropertyReference => operation is IPropertyReferenceOperation
        {
            Property: { IsIndexer: false } property, Instance: null or IInstanceReferenceOperation,
        }
            ? property
            : null,
        OperationKind.FlowCaptureReference => ((IFlowCaptureReferenceOperation)operation).Id,
        OperationKind.FlowCapture => ((IFlowCaptureOperation)operation).Id,
        _ => null,
    };
}
