using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers whether a method hands out a buffer that it rented and keeps nowhere.</summary>
internal sealed class RentedResults
{
    private readonly KnownSymbols _known;
    private readonly MethodBodies _bodies;
    private readonly MethodSummaries _summaries;
    private readonly RecursiveInference<IMethodSymbol, RentedResult?> _results;

    internal RentedResults(
        KnownSymbols known, MethodBodies bodies, ConcurrentDictionary<IMethodSymbol, RentedResult?> finished, MethodSummaries summaries)
    {
        _known = known;
        _bodies = bodies;
        _summaries = summaries;
        _results = new(finished, recursive: null, unseen: null);
    }

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
    internal RentedResult? Infer(IMethodSymbol method) => _results.Infer(method, InferFrom);

    private RentedResult? InferFrom(IMethodSymbol method)
    {
        bool isTask = KnownSymbols.IsTask(method.ReturnType);
        if (isTask != method.IsAsync
            || (!NamedProducers.IsOwner(method.ReturnType)
                && !_known.IsPooled(method.ReturnType)
                && !_summaries.Renting.Name(method.DeclaringSyntaxReferences[0]))
            || _bodies.Find(method) is not { } body)
        {
            return null;
        }

        BufferSources origins = new(body, _known, _summaries, Infer);
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
                BufferSource source = isBuffer ? origins.SourceOf(values[i]) : BufferSource.Other;
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
}
