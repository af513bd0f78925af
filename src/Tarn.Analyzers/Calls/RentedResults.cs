using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Infers whether a method hands out a buffer that it rented and keeps nowhere.</summary>
internal sealed class RentedResults
{
    private readonly KnownSymbols _known;
    private readonly MethodBodies _bodies;
    private readonly ConcurrentDictionary<IMethodSymbol, RentedResult?> _finished;
    private readonly MethodSummaries _summaries;
    private readonly HashSet<IMethodSymbol> _open = new(SymbolEqualityComparer.Default);

    internal RentedResults(
        KnownSymbols known, MethodBodies bodies, ConcurrentDictionary<IMethodSymbol, RentedResult?> finished, MethodSummaries summaries)
    {
        _known = known;
        _bodies = bodies;
        _finished = finished;
        _summaries = summaries;
    }

    /// <summary>Gets or sets a value indicating whether values are handed out through variables of the caller, not as the result.</summary>
    internal bool IsGiven { get; set; }

    /// <summary>Returns whether the type of a method's result allows a rented buffer in it.</summary>
    internal static bool MayHandOut(IMethodSymbol method, KnownSymbols known) =>
        !method.ReturnsVoid
        && method.MethodKind is MethodKind.Ordinary or MethodKind.LocalFunction
        && !method.DeclaringSyntaxReferences.IsEmpty
        && ElementsOf(method.ReturnType).Any(known.IsBuffer);

    /// <summary>Returns the types that a result consists of, without the task around them.</summary>
    internal static IEnumerable<ITypeSymbol> ElementsOf(ITypeSymbol type)
    {
        bool isTask = type is INamedTypeSymbol { Name: "Task" or "ValueTask", TypeArguments.Length: 1 };
        ITypeSymbol result = isTask ? ((INamedTypeSymbol)type).TypeArguments[0] : type;
        return result is INamedTypeSymbol { IsTupleType: true } tuple
            ? tuple.TupleElements.Select(static element => element.Type)
            : [result];
    }

    /// <summary>Returns what a method hands out; null if that is nothing rented.</summary>
    internal RentedResult? Infer(IMethodSymbol method)
    {
        if (_finished.TryGetValue(method, out RentedResult? known))
        {
            return known;
        }

        if (!_open.Add(method))
        {
            return null;
        }

        RentedResult? result = InferFrom(method);
        _open.Remove(method);
        return _open.Count == 0 ? _finished.GetOrAdd(method, result) : result;
    }

    private RentedResult? InferFrom(IMethodSymbol method)
    {
        bool isTask = KnownSymbols.IsTask(method.ReturnType);
        if (isTask != method.IsAsync
            || (!NamedProducers.IsOwner(method.ReturnType) && !_summaries.Renting.Name(method.DeclaringSyntaxReferences[0]))
            || _bodies.Find(method) is not { } body)
        {
            return null;
        }

        ITypeSymbol[] types = [.. ElementsOf(method.ReturnType)];
        BufferSource[] sources = new BufferSource[types.Length];
        bool[] rented = new bool[types.Length];
        bool mayBeNull = false;
        bool isExact = true;
        bool isFirst = true;
        foreach (IReturnOperation returned in body.Descendants().OfType<IReturnOperation>())
        {
            if (returned.ReturnedValue is not { } value || CertainPlaces.IsInFunction(returned, body))
            {
                continue;
            }

            if (KnownSymbols.WithoutConversions(value) is IThrowOperation)
            {
                continue;
            }

            IOperation[] values = types.Length == 1 ? [value] : Parts(value, types.Length);
            for (int i = 0; i < types.Length; i++)
            {
                bool isBuffer = values.Length == types.Length && _known.IsBuffer(types[i]);
                BufferSource source = isBuffer ? SourceOf(values[i], body) : BufferSource.Other;
                source = source == BufferSource.Fresh ? BufferSource.Other : source;
                rented[i] |= source == BufferSource.Rented;
                mayBeNull |= source == BufferSource.Null || (isBuffer && IsNullable(values[i]));
                sources[i] = isFirst || sources[i] != BufferSource.Other ? source : BufferSource.Other;
                sources[i] = source == BufferSource.Other ? BufferSource.Other : sources[i];
            }

            isFirst = false;
            isExact = !(types.Length == 1 && IsOfRequested(value, method));
        }

        ulong elements = 0;
        for (int i = 0; i < types.Length && i < 64; i++)
        {
            elements |= rented[i] && sources[i] != BufferSource.Other ? 1UL << i : 0;
        }

        return elements == 0 ? null : new RentedResult(elements, mayBeNull, isExact || mayBeNull);
    }

    private bool IsNullable(IOperation value) =>
        KnownSymbols.WithoutConversions(value) is IInvocationOperation call && _known.AsRent(call) is { MayBeNull: true };

    private static IOperation[] Parts(IOperation value, int count) =>
        KnownSymbols.WithoutConversions(value) is ITupleOperation { Elements: { } elements } && elements.Length == count
            ? [.. elements]
            : [];

    /// <summary>Returns whether a method only passes its own length parameter to a pool that may return more.</summary>
    private bool IsOfRequested(IOperation value, IMethodSymbol method) =>
        method.Parameters.Length == 1
        && KnownSymbols.WithoutConversions(value) is IInvocationOperation call
        && _known.AsRent(call) is { IsExact: false }
        && call.Arguments.Length == 1
        && call.Arguments[0].Value is IParameterReferenceOperation;

    /// <summary>Returns where a value that a method hands out comes from.</summary>
    internal BufferSource SourceOf(IOperation value, IOperation body) => KnownSymbols.WithoutConversions(value) switch
    {
        { ConstantValue: { HasValue: true, Value: null } } or IDefaultValueOperation => BufferSource.Null,
        IInvocationOperation call => IsRent(call) ? BufferSource.Rented
            : KnownSymbols.ReturnsFreshArray(call.TargetMethod) ? BufferSource.Fresh
            : call.Arguments.FirstOrDefault(_summaries.HandsBack) is { } handedBack ? SourceOf(handedBack.Value, body)
            : BufferSource.Other,
        IArrayCreationOperation => BufferSource.Fresh,
        IObjectCreationOperation creation => IsOwnerOfRented(creation, body) ? BufferSource.Rented : BufferSource.Other,
        IAwaitOperation { Operation: var waited } => CallOf(waited) is { } call && IsRent(call) ? BufferSource.Rented : BufferSource.Other,
        IParenthesizedOperation { Operand: var inner } => SourceOf(inner, body),
        ILocalReferenceOperation { Local: { RefKind: RefKind.None } local } => SourceOf(local, body),
        _ => BufferSource.Other,
    };

    /// <summary>Returns whether an object of the source rents an array that its Dispose returns, or gets a rented one.</summary>
    private bool IsOwnerOfRented(IObjectCreationOperation creation, IOperation body) =>
        _known.MakesOwner(creation)
        || (_known.TakesArray(creation.Constructor) is { } parameter
            && creation.Arguments.FirstOrDefault(one => one.Parameter?.Ordinal == parameter.Ordinal) is { } taken
            && IsRentedFor(taken.Value, creation, body));

    /// <summary>Returns whether a value comes from a rent, and only the object that is created keeps it.</summary>
    private bool IsRentedFor(IOperation value, IObjectCreationOperation creation, IOperation body) =>
        KnownSymbols.WithoutConversions(value) switch
        {
            IInvocationOperation call => IsRent(call),
            ILocalReferenceOperation { Local: { RefKind: RefKind.None, IsUsing: false } local } =>
                body.Descendants().OfType<IVariableDeclaratorOperation>().Any(declarator =>
                    SymbolEqualityComparer.Default.Equals(declarator.Symbol, local)
                    && KnownSymbols.WithoutConversions(declarator.GetVariableInitializer()?.Value) is IInvocationOperation call
                    && IsRent(call))
                && !body.Descendants().OfType<ISimpleAssignmentOperation>().Any(assignment =>
                    assignment.Target is ILocalReferenceOperation { Local: { } target }
                    && SymbolEqualityComparer.Default.Equals(target, local)),
            _ => false,
        };

    private BufferUses NewUses(IOperation body) =>
        new(body, _known, _summaries.EffectOf) { MayBeResult = !IsGiven, MayBeGiven = IsGiven };

    /// <summary>Returns the call that started an awaited task; null if it is not seen.</summary>
    internal static IInvocationOperation? CallOf(IOperation waited) => KnownSymbols.WithoutConversions(waited) switch
    {
        IInvocationOperation { TargetMethod.Name: "ConfigureAwait", Instance: { } task } => CallOf(task),
        IInvocationOperation call => call,
        _ => null,
    };

    private bool IsRent(IInvocationOperation call)
    {
        if (_known.AsRent(call) is { Kind: not BufferKind.Block })
        {
            return true;
        }

        IMethodSymbol method = MethodBodies.Implementation(call.TargetMethod);
        return MayHandOut(method, _known)
            && ElementsOf(method.ReturnType).Count() == 1
            && Infer(method) is { MayBeNull: false };
    }

    /// <summary>Returns where the value of a local comes from, if nothing else keeps it.</summary>
    private BufferSource SourceOf(ILocalSymbol local, IOperation body)
    {
        BufferSource? source = null;
        foreach (IOperation operation in body.Descendants())
        {
            IOperation? assigned = operation switch
            {
                IVariableDeclaratorOperation declarator when SymbolEqualityComparer.Default.Equals(declarator.Symbol, local) =>
                    declarator.GetVariableInitializer()?.Value,
                ISimpleAssignmentOperation { Target: ILocalReferenceOperation { Local: { } target } } assignment
                    when SymbolEqualityComparer.Default.Equals(target, local) => assignment.Value,
                _ => null,
            };
            if (assigned is null)
            {
                continue;
            }

            bool isCopied = KnownSymbols.WithoutConversions(assigned) is ILocalReferenceOperation;
            BufferSource one = isCopied ? BufferSource.Other : SourceOf(assigned, body);
            source = source is null || source == one || source == BufferSource.Null ? one
                : one == BufferSource.Null ? source
                : BufferSource.Other;
        }

        if (source != BufferSource.Rented || local.IsUsing)
        {
            return local.IsUsing ? BufferSource.Other : source ?? BufferSource.Other;
        }

        BufferUses uses = NewUses(body);
        ParameterEffect effect = uses.FollowLocal(local, isWhole: true, isToEnd: true);
        bool isKept = (effect & ParameterEffect.Keeps) != 0 || uses.IsEndless || IsKeptElsewhere(local, body);
        return isKept ? BufferSource.Other : BufferSource.Rented;
    }

    /// <summary>Returns whether anything other than error handling may keep or return a local.</summary>
    private bool IsKeptElsewhere(ILocalSymbol local, IOperation body) =>
        body.Descendants().OfType<ILocalReferenceOperation>()
            .Where(reference => SymbolEqualityComparer.Default.Equals(reference.Local, local) && !EndsBadly(reference, body))
            .Any(reference =>
                (NewUses(body).Follow(reference, isWhole: true, isToEnd: true)
                    & ~ParameterEffect.OnContents) != 0
                && reference.Parent is not ISimpleAssignmentOperation);

    /// <summary>Returns whether an operation is in a handler, or in a block that leaves the method without the buffer.</summary>
    private static bool EndsBadly(IOperation operation, IOperation body)
    {
        for (IOperation? outer = operation.Parent; outer is not null && outer != body; outer = outer.Parent)
        {
            if (outer is ICatchClauseOperation)
            {
                return true;
            }

            IOperation? last = outer is IBlockOperation { Operations: { Length: > 0 } statements, Parent: IConditionalOperation }
                ? statements[statements.Length - 1]
                : null;
            if (last is IReturnOperation or IThrowOperation or IExpressionStatementOperation { Operation: IThrowOperation }
                && !last.Descendants().Contains(operation))
            {
                return true;
            }
        }

        return false;
    }
}
