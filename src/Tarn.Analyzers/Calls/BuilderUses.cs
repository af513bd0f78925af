using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what a method does with a builder that it receives by reference.</summary>
internal sealed class BuilderUses(KnownSymbols known, MethodBodies bodies, ConcurrentDictionary<IParameterSymbol, BuilderUse?> finished)
{
    /// <summary>The results; a recursive call adds nothing.</summary>
    private readonly RecursiveInference<IParameterSymbol, BuilderUse?> _results = new(finished, BuilderUse.Reads, unseen: null);

    /// <summary>Returns the use of a parameter; null if the method may dispose or replace the builder, or is not seen.</summary>
    internal BuilderUse? Infer(IParameterSymbol parameter) => _results.Infer(parameter, InferFrom);

    private BuilderUse? InferFrom(IParameterSymbol parameter) =>
        parameter.ContainingSymbol is IMethodSymbol method && bodies.Find(method) is { } body
            ? InferFrom(parameter, MethodBodies.Implementation(method), body)
            : null;

    private BuilderUse? InferFrom(IParameterSymbol parameter, IMethodSymbol method, IOperation body)
    {
        BuilderUse all = BuilderUse.Reads;
        foreach (IParameterReferenceOperation reference in body.Descendants().OfType<IParameterReferenceOperation>())
        {
            if (reference.Parameter.Ordinal != parameter.Ordinal
                || !SymbolEqualityComparer.Default.Equals(reference.Parameter.ContainingSymbol.OriginalDefinition, method))
            {
                continue;
            }

            BuilderUse? one = reference.Parent switch
            {
                IInvocationOperation call when call.Instance == reference => UseOf(call.TargetMethod),
                IArgumentOperation { Parameter: { RefKind: RefKind.Ref } passed } => Infer(passed.OriginalDefinition),
                IPropertyReferenceOperation property when property.Instance == reference => BuilderUse.Reads,
                _ => null,
            };
            if (one is null)
            {
                return null;
            }

            all = one == BuilderUse.Grows ? BuilderUse.Grows : all;
        }

        return all;
    }

    private BuilderUse? UseOf(IMethodSymbol method) =>
        known.MembersOf(method.ContainingType) is not { } members || members.Ends(method) ? null
        : members.Grows(method) ? BuilderUse.Grows
        : BuilderUse.Reads;
}
