using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what a method does with a parameter, from every use of the parameter and of the variables made from it.</summary>
/// <remarks>
/// The order of uses does not matter, apart from returns: only one that every normal path reaches is certain. A recursive call adds
/// nothing.
/// </remarks>
internal sealed class ParameterUses
{
    private readonly KnownSymbols _known;
    private readonly MethodBodies _bodies;
    private readonly RecursiveInference<IParameterSymbol, ParameterEffect?> _effects;

    internal ParameterUses(
        KnownSymbols known, MethodBodies bodies, ConcurrentDictionary<IParameterSymbol, ParameterEffect?> finished)
    {
        _known = known;
        _bodies = bodies;
        _effects = new(finished, recursive: ParameterEffect.None, unseen: null);
    }

    /// <summary>Returns whether the source of a method that gets something names a call that may return a buffer.</summary>
    internal static bool MayReturn(IMethodSymbol method, SourceWords returning) =>
        (!method.Parameters.IsEmpty || ExtensionBlocks.HasReceiver(method))
        && method.DeclaringSyntaxReferences.Length == 1
        && returning.Name(method.DeclaringSyntaxReferences[0]);

    /// <summary>Returns the effect on a parameter; null if the body of its method is not seen.</summary>
    internal ParameterEffect? Infer(IParameterSymbol parameter) => _effects.Infer(parameter, InferNew);

    /// <summary>Returns the effect of an extension block's method on its receiver; null if its body is not seen.</summary>
    internal ParameterEffect? InferOnReceiver(IMethodSymbol method) =>
        _bodies.Find(method) is { } body ? InferFrom(ExtensionBlocks.IsReceiver, method, body) : null;

    /// <summary>
    /// Returns whether the language ends the use of a span with the call: nothing that outlives the call can hold it, neither the result
    /// nor what the method gets by reference.
    /// </summary>
    private static bool CannotBeKept(IParameterSymbol parameter) =>
        parameter is { RefKind: RefKind.None, Type.IsRefLikeType: true, ContainingSymbol: IMethodSymbol method }
        && !method.ReturnType.IsRefLikeType
        && !method.ReturnsByRef
        && !method.ReturnsByRefReadonly
        && (method.IsStatic || !method.ContainingType.IsRefLikeType)
        && !method.Parameters.Any(static other => other.RefKind != RefKind.None && other.Type.IsRefLikeType);

    /// <summary>
    /// Returns for each result of a method whether the caller still has the buffer that a parameter received, null where that is not
    /// known; null if the result does not tell.
    /// </summary>
    internal IReadOnlyDictionary<object, bool?>? InferResults(
        IParameterSymbol parameter, Func<IParameterSymbol, IReadOnlyDictionary<object, bool?>?> resultsOf)
    {
        IMethodSymbol method = (IMethodSymbol)parameter.ContainingSymbol;
        if (!ResultPaths.MayTell(method) || _bodies.Find(method) is not IMethodBodyOperation body)
        {
            return null;
        }

        BufferUses uses = new(body, _known, Infer);
        HashSet<SyntaxNode> taking =
        [
            .. body.Descendants().OfType<IParameterReferenceOperation>()
                .Where(reference => SymbolEqualityComparer.Default.Equals(reference.Parameter, parameter)
                    && (uses.Follow(reference, isWhole: true, isToEnd: true) & ~ParameterEffect.OnContents) != 0)
                .Select(static reference => reference.Syntax),
        ];
        ResultPaths paths = new(
            parameter,
            (operation, _) => taking.Any(operation is IFlowAnonymousFunctionOperation
                ? place => operation.Syntax.Span.Contains(place.Span)
                : place => operation.Syntax == place) ? BufferFact.Taken : null,
            static _ => BufferFact.Other,
            call => call.Arguments.FirstOrDefault(argument =>
                        KnownSymbols.WithoutConversions(argument.Value) is IParameterReferenceOperation { Parameter: { } used }
                        && SymbolEqualityComparer.Default.Equals(used, parameter)) is { Parameter: { } passed }
                    && resultsOf(passed) is { } results
                ? results.ToDictionary(static one => one.Key, static one => one.Value == true ? BufferFact.Other : BufferFact.Taken)
                : null);
        Dictionary<object, bool?>? all = paths.Follow(body, BufferFact.Other)?.ToDictionary(
            static one => one.Key,
            static one => one.Value.Count > 1 ? (bool?)null : !one.Value.Contains(BufferFact.Taken));
        return all is not null && all.ContainsValue(true) && !uses.IsEndless ? all : null;
    }

    private static bool HandsBackOnly(ParameterEffect effect) =>
        (effect & (ParameterEffect.Keeps | ParameterEffect.MayKeep | ParameterEffect.Returns)) == 0;

    /// <summary>Returns whether the result of a method is a buffer itself, or memory of one.</summary>
    private bool MayHandBack(IMethodSymbol method) =>
        !method.IsAsync && (_known.IsBuffer(method.ReturnType) || KnownSymbols.IsMemory(method.ReturnType));

    private ParameterEffect? InferNew(IParameterSymbol parameter) =>
        InferFrom(parameter) & (CannotBeKept(parameter) ? ~(ParameterEffect.Keeps | ParameterEffect.MayKeep) : ~ParameterEffect.None);

    private ParameterEffect? InferFrom(IParameterSymbol parameter)
    {
        IMethodSymbol method = (IMethodSymbol)parameter.ContainingSymbol;
        return _bodies.Find(method) is { } body ? InferFrom(parameter, method, body)
            : _bodies.FindOverrides(method) is { } overrides ? InferFrom(parameter, overrides)
            : null;
    }

    /// <summary>Returns the effect of a call that may run any of some methods; null if one of them is not seen.</summary>
    private ParameterEffect? InferFrom(IParameterSymbol parameter, IReadOnlyList<IMethodSymbol> overrides)
    {
        ParameterEffect any = ParameterEffect.None;
        ParameterEffect all = ParameterEffect.Returns | ParameterEffect.OnContents | ParameterEffect.HandsBack;
        foreach (IMethodSymbol method in overrides)
        {
            IMethodSymbol implementation = MethodBodies.Implementation(method);
            if (_bodies.Read(implementation) is not { } body)
            {
                return null;
            }

            ParameterEffect one = InferFrom(implementation.Parameters[parameter.Ordinal], implementation, body);
            any |= one;
            all &= one;
        }

        bool mayReturn = (any & ParameterEffect.Returns) != 0 && (all & ParameterEffect.Returns) == 0;
        if ((any & ~all & ParameterEffect.HandsBack) != 0)
        {
            any |= ParameterEffect.Keeps;
        }

        any &= ParameterEffect.Keeps | ParameterEffect.MayKeep;
        return any | all | (mayReturn ? ParameterEffect.MayKeep : ParameterEffect.None);
    }

    private ParameterEffect InferFrom(IParameterSymbol parameter, IMethodSymbol method, IOperation body)
    {
        IMethodSymbol implementation = MethodBodies.Implementation(method);
        return InferFrom(
            used => (used.Ordinal == parameter.Ordinal
                    && SymbolEqualityComparer.Default.Equals(used.ContainingSymbol.OriginalDefinition, implementation))
                || ExtensionBlocks.IsDeclarationOf(parameter, used),
            method,
            body);
    }

    private ParameterEffect InferFrom(Func<IParameterSymbol, bool> isFollowed, IMethodSymbol method, IOperation body)
    {
        if (body.Syntax.DescendantNodes().Any(static node => node is YieldStatementSyntax))
        {
            return ParameterEffect.Keeps;
        }

        BufferUses uses = new(body, _known, Infer);
        ParameterEffect effect = ParameterEffect.None;
        foreach (IOperation operation in body.Descendants())
        {
            if (operation is IParameterReferenceOperation { Parameter: { } used } reference && isFollowed(used))
            {
                effect |= uses.Follow(reference, isWhole: true, isToEnd: true);
            }
        }

        return uses.IsEndless ? ParameterEffect.MayKeep
            : (effect & ParameterEffect.HandsBack) != 0 && !(HandsBackOnly(effect) && MayHandBack(method) && uses.IsAlwaysResult())
            ? (effect & ~ParameterEffect.HandsBack) | ParameterEffect.Keeps
            : effect;
    }
}
