using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what a method leaves in a variable that it receives by <c>ref</c> or <c>out</c>.</summary>
/// <remarks>A method that keeps the buffer, or puts something there of which nothing is known, has no summary.</remarks>
internal sealed class LeftBuffers(
    KnownSymbols known, MethodBodies bodies, ConcurrentDictionary<IParameterSymbol, LeftBuffer?> finished, MethodSummaries summaries)
{
    private static readonly LeftBuffer s_inQueue = new(BufferSource.Rented, IsAlways: true, ReturnsOld: false, MayBeNull: true)
    {
        Results = new Dictionary<object, bool?> { [true] = true, [false] = false },
    };

    private readonly RecursiveInference<IParameterSymbol, LeftBuffer?> _results = new(finished, recursive: null, unseen: null);

    /// <summary>Returns whether a parameter is a variable of the caller that may hold a buffer.</summary>
    internal static bool IsPlace(IParameterSymbol parameter, KnownSymbols known) =>
        parameter is { RefKind: RefKind.Ref or RefKind.Out, ContainingSymbol: IMethodSymbol { DeclaringSyntaxReferences.IsEmpty: false } }
        && known.IsBuffer(parameter.Type);

    /// <summary>Returns what a method of the base library or of Tarn leaves in a parameter; null if that is not known.</summary>
    internal static LeftBuffer? LeftByLibrary(IParameterSymbol parameter) =>
        parameter is { RefKind: RefKind.Ref, ContainingSymbol: { Name: "Resize", ContainingType.SpecialType: SpecialType.System_Array } }
            ? new LeftBuffer(BufferSource.Fresh, IsAlways: false, ReturnsOld: false, MayBeNull: false)
            : parameter is { RefKind: RefKind.Out, ContainingSymbol: IMethodSymbol begin } && TarnOwners.BeginsInQueue(begin)
            ? s_inQueue
            : null;

    /// <summary>Returns what a method leaves in a parameter; null if that cannot be seen.</summary>
    internal LeftBuffer? Infer(IParameterSymbol parameter) => _results.Infer(parameter, InferFrom);

    private LeftBuffer? InferFrom(IParameterSymbol parameter) =>
        bodies.Find((IMethodSymbol)parameter.ContainingSymbol) is { } body ? InferFrom(parameter, body) : null;

    private LeftBuffer? InferFrom(IParameterSymbol parameter, IOperation body)
    {
        IMethodSymbol method = MethodBodies.Implementation((IMethodSymbol)parameter.ContainingSymbol);
        BufferUses uses = new(body, known, summaries.EffectOf) { MayBeGiven = true, CountsAnyReturn = true };
        BufferSources sources = new(body, known, summaries, summaries.ResultOf) { IsGiven = true };
        HashSet<BufferSource> put = [];
        bool isAlways = parameter.RefKind == RefKind.Out;
        bool isReturned = false;
        ParameterEffect effect = ParameterEffect.None;
        foreach (IParameterReferenceOperation reference in body.Descendants().OfType<IParameterReferenceOperation>())
        {
            if (reference.Parameter.Ordinal != parameter.Ordinal
                || !SymbolEqualityComparer.Default.Equals(reference.Parameter.ContainingSymbol.OriginalDefinition, method))
            {
                continue;
            }

            switch (reference.Parent)
            {
                case ISimpleAssignmentOperation { IsRef: false } assignment when assignment.Target == reference:
                    put.UnionWith(ChoicesOf(assignment.Value).Select(sources.SourceOf));
                    isAlways |= CertainPlaces.IsReached(assignment, body);
                    effect |= assignment.Parent is IExpressionStatementOperation
                        ? ParameterEffect.None
                        : uses.Follow(assignment, isWhole: true, isToEnd: true);
                    break;
                case IArgumentOperation { Parameter: { RefKind: RefKind.Ref or RefKind.Out } passed } argument:
                    if (LeftByCallee(passed) is not { } inner)
                    {
                        return null;
                    }

                    if (inner.Source != BufferSource.Other)
                    {
                        put.Add(inner.Source);
                        isAlways |= inner.IsAlways && CertainPlaces.IsReached(argument, body);
                    }

                    if (inner.MayBeNull)
                    {
                        put.Add(BufferSource.Null);
                    }

                    isReturned |= inner.ReturnsOld;
                    break;
                default:
                    effect |= uses.Follow(reference, isWhole: true, isToEnd: true);
                    break;
            }
        }

        isReturned |= (effect & ParameterEffect.Returns) != 0;
        bool isKept = (effect & (ParameterEffect.Keeps | ParameterEffect.MayKeep)) != 0 || uses.IsEndless;
        return isKept || (put.Count == 0 && isReturned) ? null
            : put.Contains(BufferSource.Rented) && !isReturned && InferResults(parameter, method, body, sources) is { } results
            ? new LeftBuffer(BufferSource.Rented, IsAlways: true, ReturnsOld: false, put.Count > 1) { Results = results }
            : Combine(put, isAlways, isReturned);
    }

    /// <summary>Returns for each result whether a rented buffer is in a variable; null if the result does not tell.</summary>
    private Dictionary<object, bool?>? InferResults(
        IParameterSymbol parameter, IMethodSymbol method, IOperation body, BufferSources sources)
    {
        if (parameter.RefKind != RefKind.Out || !ResultPaths.MayTell(method))
        {
            return null;
        }

        ResultPaths paths = new(parameter, Change, value => FactOf(sources.SourceOf(value)), Split);
        Dictionary<object, bool?>? results = paths.Follow(body, BufferFact.Other)?.ToDictionary(
            static one => one.Key,
            static one => one.Value.Contains(BufferFact.Rented) ? one.Value.Count == 1 ? true : (bool?)null : false);
        return results is not null && results.ContainsValue(true) ? results : null;

        BufferFact? Change(IOperation operation, Func<IOperation, BufferFact> factOf) => operation switch
        {
            ISimpleAssignmentOperation { IsRef: false } assignment when IsOf(assignment.Target) => factOf(assignment.Value),
            IArgumentOperation { Parameter: { RefKind: RefKind.Ref or RefKind.Out } passed } argument when IsOf(argument.Value) =>
                LeftByCallee(passed) is { Source: not BufferSource.Other, IsAlways: true, MayBeNull: false } left
                    && left.Results?.Values.All(static one => one == true) != false
                    ? FactOf(left.Source)
                    : BufferFact.Other,
            _ => null,
        };

        IReadOnlyDictionary<object, BufferFact>? Split(IInvocationOperation call) =>
            call.Arguments.FirstOrDefault(argument => argument.Parameter?.RefKind == RefKind.Out && IsOf(argument.Value)) is { } argument
            && LeftByCallee(argument.Parameter!)?.Results is { } results
                ? results.ToDictionary(
                    static one => one.Key,
                    static one => one.Value == true ? BufferFact.Rented : one.Value == false ? BufferFact.Null : BufferFact.Other)
                : null;

        bool IsOf(IOperation target) =>
            target is IParameterReferenceOperation { Parameter: { } used } && SymbolEqualityComparer.Default.Equals(used, parameter);
    }

    /// <summary>Returns the values that an expression chooses from.</summary>
    private static IEnumerable<IOperation> ChoicesOf(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        IConditionalOperation { WhenFalse: { } other } choice => ChoicesOf(choice.WhenTrue).Concat(ChoicesOf(other)),
        _ => [value],
    };

    private static BufferFact FactOf(BufferSource source) => source switch
    {
        BufferSource.Null => BufferFact.Null,
        BufferSource.Rented => BufferFact.Rented,
        BufferSource.Fresh => BufferFact.Fresh,
        _ => BufferFact.Other,
    };

    private static LeftBuffer? Combine(HashSet<BufferSource> put, bool isAlways, bool isReturned)
    {
        bool mayBeNull = put.Remove(BufferSource.Null);
        BufferSource source = put.Count > 0 ? put.First() : mayBeNull ? BufferSource.Null : BufferSource.Other;
        return put.Count > 1 || put.Contains(BufferSource.Other) ? null : new LeftBuffer(source, isAlways, isReturned, mayBeNull);
    }

    /// <summary>Returns what a method that receives the same variable leaves there.</summary>
    private LeftBuffer? LeftByCallee(IParameterSymbol parameter) =>
        LeftByLibrary(parameter)
        ?? (IsPlace(parameter.OriginalDefinition, known) ? Infer(parameter.OriginalDefinition) : null);
}
