using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers where a value that a body hands out comes from, and whether anything else keeps it.</summary>
/// <param name="body">The body.</param>
/// <param name="known">The known symbols.</param>
/// <param name="summaries">What called methods do with their arguments.</param>
/// <param name="infer">Infers what a called method hands out; null if that is nothing rented.</param>
internal sealed class BufferSources(
    IOperation body, KnownSymbols known, MethodSummaries summaries, Func<IMethodSymbol, RentedResult?> infer)
{
    /// <summary>The most variables that are followed.</summary>
    private const int MostLocals = 50;

    private readonly Dictionary<ILocalSymbol, BufferSource> _locals = new(SymbolEqualityComparer.Default);

    /// <summary>Gets or sets a value indicating whether values are handed out through variables of the caller, not as the result.</summary>
    internal bool IsGiven { get; set; }

    /// <summary>Returns the call that started an awaited task; null if it is not seen.</summary>
    internal static IInvocationOperation? CallOf(IOperation waited) => KnownSymbols.WithoutConversions(waited) switch
    {
        IInvocationOperation { TargetMethod.Name: "ConfigureAwait", Instance: { } task } => CallOf(task),
        IInvocationOperation call => call,
        _ => null,
    };

    /// <summary>Returns where a value that a method hands out comes from.</summary>
    internal BufferSource SourceOf(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        { ConstantValue: { HasValue: true, Value: null } } or IDefaultValueOperation => BufferSource.Null,
        IInvocationOperation call => IsRent(call) ? BufferSource.Rented
            : KnownSymbols.ReturnsFreshArray(call.TargetMethod) ? BufferSource.Fresh
            : call.Arguments.FirstOrDefault(summaries.HandsBack) is { } handedBack ? SourceOf(handedBack.Value)
            : BufferSource.Other,
        IArrayCreationOperation => BufferSource.Fresh,
        IObjectCreationOperation creation => IsOwnerOfRented(creation) ? BufferSource.Rented : BufferSource.Other,
        IAwaitOperation { Operation: var waited } => CallOf(waited) is { } call && IsRent(call) ? BufferSource.Rented : BufferSource.Other,
        ILocalReferenceOperation { Local: { RefKind: RefKind.None } local } => SourceOf(local),
        _ => BufferSource.Other,
    };

    /// <summary>Returns whether an object of the source rents an array that its Dispose returns, or gets a rented one.</summary>
    private bool IsOwnerOfRented(IObjectCreationOperation creation) =>
        known.MakesOwner(creation)
        || (known.TakesArray(creation.Constructor) is { } parameter
            && creation.Arguments.FirstOrDefault(one => one.Parameter?.Ordinal == parameter.Ordinal) is { } taken
            && IsRentedFor(taken.Value, creation));

    /// <summary>Returns whether a value comes from a rent, and only the object that is created keeps it.</summary>
    private bool IsRentedFor(IOperation value, IObjectCreationOperation creation) =>
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

    private BufferUses NewUses() => new(body, known, summaries.EffectOf) { MayBeResult = !IsGiven, MayBeGiven = IsGiven };

    private bool IsRent(IInvocationOperation call)
    {
        if (known.AsRent(call) is { Kind: not BufferKind.Block })
        {
            return true;
        }

        IMethodSymbol method = MethodBodies.Implementation(call.TargetMethod);
        return RentedResults.MayHandOut(method, known)
            && RentedResults.ElementsOf(method.ReturnType).Count() == 1
            && infer(method) is { MayBeNull: false };
    }

    /// <summary>Returns where the value of a local comes from, if nothing else keeps it.</summary>
    private BufferSource SourceOf(ILocalSymbol local)
    {
        if (_locals.TryGetValue(local, out BufferSource found))
        {
            return found;
        }

        if (_locals.Count == MostLocals || !StackRoom.IsLeft())
        {
            return BufferSource.Other;
        }

        // A variable that gets its own value, through a method that hands it back, gets nothing new.
        _locals.Add(local, BufferSource.Null);
        return _locals[local] = Infer(local);
    }

    private BufferSource Infer(ILocalSymbol local)
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
            BufferSource one = isCopied ? BufferSource.Other : SourceOf(assigned);
            source = source is null || source == one || source == BufferSource.Null ? one
                : one == BufferSource.Null ? source
                : BufferSource.Other;
        }

        if (source != BufferSource.Rented || local.IsUsing)
        {
            return local.IsUsing ? BufferSource.Other : source ?? BufferSource.Other;
        }

        BufferUses uses = NewUses();
        ParameterEffect effect = uses.FollowLocal(local, isWhole: true, isToEnd: true);
        bool isKept = (effect & ParameterEffect.Keeps) != 0 || uses.IsEndless || IsKeptElsewhere(local);
        return isKept ? BufferSource.Other : BufferSource.Rented;
    }

    /// <summary>Returns whether anything other than error handling may keep or return a local.</summary>
    private bool IsKeptElsewhere(ILocalSymbol local) =>
        body.Descendants().OfType<ILocalReferenceOperation>()
            .Where(reference => SymbolEqualityComparer.Default.Equals(reference.Local, local) && !EndsBadly(reference))
            .Any(reference =>
                (NewUses().Follow(reference, isWhole: true, isToEnd: true)
                    & ~ParameterEffect.OnContents) != 0
                && reference.Parent is not ISimpleAssignmentOperation);

    /// <summary>Returns whether an operation is in a handler, or in a block that leaves the method without the buffer.</summary>
    private bool EndsBadly(IOperation operation)
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
