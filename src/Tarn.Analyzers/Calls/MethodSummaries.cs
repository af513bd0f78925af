using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what the compilation's own methods do with buffers, for the analysis of the methods that call them.</summary>
/// <remarks>
/// A summary is inferred from the source of a method when a call first needs it, and kept for the compilation. Attributes win over it.
/// Calls of methods that may be overridden have none. Safe for concurrent use: two threads may infer one summary, with the same result.
/// </remarks>
internal sealed class MethodSummaries
{
    private static readonly ConditionalWeakTable<Compilation, MethodSummaries> s_compilations = new();

    /// <summary>The most methods in a chain of which each hands a buffer on to the next.</summary>
    private const int MostForwarded = 8;

    private readonly IAssemblySymbol _assembly;
    private readonly KnownSymbols _known;
    private readonly MethodBodies _bodies;
    private readonly ConcurrentDictionary<IParameterSymbol, ParameterEffect?> _effects = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IMethodSymbol, ParameterEffect?> _onReceivers = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IMethodSymbol, bool> _concerned = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IMethodSymbol, bool> _endings = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IMethodSymbol, RentedResult?> _results = new(SymbolEqualityComparer.Default);

    private readonly ConcurrentDictionary<IParameterSymbol, LeftBuffer?> _left = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IParameterSymbol, IReadOnlyDictionary<object, bool?>?> _taken =
        new(SymbolEqualityComparer.Default);

    private readonly ConcurrentDictionary<IParameterSymbol, IReadOnlyDictionary<int, SyntaxNode>?> _lent =
        new(SymbolEqualityComparer.Default);

    private readonly ConcurrentDictionary<IParameterSymbol, BuilderUse?> _builders = new(SymbolEqualityComparer.Default);

    /// <summary>The words in the source of methods that may return a buffer.</summary>
    private readonly SourceWords _returning = new([], ["Return", "Dispose", "DisposeAsync", "Free"]);

    private MethodSummaries(Compilation compilation, KnownSymbols known)
    {
        _assembly = compilation.Assembly;
        _known = known;
        _bodies = new MethodBodies(compilation);
    }

    /// <summary>Returns the summaries of a compilation, which all analyzers share.</summary>
    internal static MethodSummaries Of(Compilation compilation) =>
        s_compilations.GetValue(compilation, static one => new MethodSummaries(one, KnownSymbols.Of(one)));

    /// <summary>Gets the words in the source of methods that may rent, for which it is worthwhile to infer what they hand out.</summary>
    internal SourceWords Renting { get; } = new(["Rent", "Lease", "Take"], ["Allocate", "Get"]);

    /// <summary>Returns what a method does with an argument; null if that cannot be seen.</summary>
    internal ParameterEffect? EffectOf(IParameterSymbol? parameter)
    {
        if (parameter is not { RefKind: RefKind.None, ContainingSymbol: IMethodSymbol method } || KnownSymbols.IsOfBaseLibrary(method))
        {
            return null;
        }

        return _effects.TryGetValue(parameter.OriginalDefinition, out ParameterEffect? effect)
            ? effect
            : new ParameterUses(_known, _bodies, _effects).Infer(parameter.OriginalDefinition);
    }

    /// <summary>Returns what a method of an extension block does with its receiver; null if that cannot be seen.</summary>
    internal ParameterEffect? EffectOnReceiver(IMethodSymbol method)
    {
        IMethodSymbol implementation = MethodBodies.Implementation(method);
        return _onReceivers.TryGetValue(implementation, out ParameterEffect? effect)
            ? effect
            : _onReceivers.GetOrAdd(implementation, new ParameterUses(_known, _bodies, _effects).InferOnReceiver(implementation));
    }

    /// <summary>
    /// Returns for each result of a method whether the caller still has the buffer that a parameter received, null where that is not
    /// known; null if the result does not tell.
    /// </summary>
    internal IReadOnlyDictionary<object, bool?>? ResultsOn(IParameterSymbol parameter) => ResultsOn(parameter, depth: 0);

    private IReadOnlyDictionary<object, bool?>? ResultsOn(IParameterSymbol passed, int depth)
    {
        IParameterSymbol parameter = passed.OriginalDefinition;
        return depth > MostForwarded || parameter is not { RefKind: RefKind.None, ContainingSymbol: IMethodSymbol method }
            || !ResultPaths.MayTell(method) ? null
            : _taken.TryGetValue(parameter, out IReadOnlyDictionary<object, bool?>? results) ? results
            : _taken.GetOrAdd(
                parameter,
                new ParameterUses(_known, _bodies, _effects).InferResults(parameter, next => ResultsOn(next, depth + 1)));
    }

    /// <summary>Returns whether the result of a call is an argument that it gets, or memory of that argument.</summary>
    internal bool HandsBack(IArgumentOperation argument) =>
        argument is { Parent: IInvocationOperation { Type: { } result }, Parameter: { } parameter }
        && (_known.IsBuffer(result) || KnownSymbols.IsMemory(result))
        && (_known.IsBuffer(parameter.Type) || KnownSymbols.IsMemory(parameter.Type))
        && EffectOf(parameter) is { } effect
        && (effect & ParameterEffect.HandsBack) != 0;

    /// <summary>
    /// Returns the rents of the arrays that a method lends to the delegate which a parameter receives, by the numbers of its arguments;
    /// null if that cannot be seen.
    /// </summary>
    internal IReadOnlyDictionary<int, SyntaxNode>? LentThrough(IParameterSymbol passed) =>
        passed is { RefKind: RefKind.None, Type.TypeKind: TypeKind.Delegate, ContainingSymbol: IMethodSymbol method }
        && method.DeclaringSyntaxReferences is { Length: 1 } sources
        && Renting.Name(sources[0])
            ? _lent.GetOrAdd(
                passed.OriginalDefinition,
                parameter => _bodies.Find((IMethodSymbol)parameter.ContainingSymbol) is { } body
                    ? LentBuffers.Infer(parameter, body, _known)
                    : null)
            : null;

    /// <summary>Returns whether a call of a method never returns, but throws or ends the process.</summary>
    internal bool NeverReturns(IMethodSymbol method)
    {
        IMethodSymbol implementation = MethodBodies.Implementation(method);
        return _endings.TryGetValue(implementation, out bool isEnding)
            ? isEnding
            : MethodEndings.IsMarked(method) ? _endings.GetOrAdd(implementation, true)
            : new MethodEndings(_bodies, _endings).Infer(implementation);
    }

    /// <summary>Returns whether calls of a method may rent, return or dispose a buffer, as far as the method alone shows.</summary>
    internal bool MayConcern(IMethodSymbol method, KnownSymbols known)
    {
        if (!SymbolEqualityComparer.Default.Equals(method.ContainingAssembly, _assembly))
        {
            return known.HasNamedMethods || _known.MayConcern(method);
        }

        IMethodSymbol implementation = MethodBodies.Implementation(method);
        if (!_concerned.TryGetValue(implementation, out bool isConcerned))
        {
            isConcerned = _concerned.GetOrAdd(
                implementation,
                _known.MayConcern(implementation)
                    || ParameterUses.MayReturn(implementation, _returning)
                    || ResultOf(implementation) is not null
                    || implementation.Parameters.Any(parameter => LeavesOfPool(parameter)));
        }

        return isConcerned || known.HasNamedMethods;
    }

    /// <summary>Returns a call as a rent because the called method hands out a buffer that it rented; null if it does not.</summary>
    internal RentCall? AsRent(IInvocationOperation call) =>
        call.Type is { } type && _known.IsBuffer(type) && ResultOf(call.TargetMethod) is { } result ? result.RentOf(call, 0, _known) : null;

    /// <summary>Returns what a method hands out; null if that is no rented buffer, or cannot be seen.</summary>
    internal RentedResult? ResultOf(IMethodSymbol method)
    {
        IMethodSymbol implementation = MethodBodies.Implementation(method);
        return !RentedResults.MayHandOut(implementation, _known) ? null
            : _results.TryGetValue(implementation, out RentedResult? result) ? result
            : new RentedResults(_known, _bodies, _results, this).Infer(implementation);
    }

    /// <summary>Returns what a method leaves in a variable of its caller; null if that cannot be seen.</summary>
    internal LeftBuffer? LeftIn(IParameterSymbol? parameter) =>
        parameter?.OriginalDefinition is not { } place ? null
        : !LeftBuffers.IsPlace(place, _known) ? LeftBuffers.LeftByLibrary(place)
        : _left.TryGetValue(place, out LeftBuffer? left) ? left
        : new LeftBuffers(_known, _bodies, _left, this).Infer(place);

    /// <summary>
    /// Returns what a method does with a builder that it receives by reference; null if it may dispose or replace it, or is not seen.
    /// </summary>
    internal BuilderUse? BuilderUseOf(IParameterSymbol? parameter) =>
        parameter is { RefKind: RefKind.Ref } ? new BuilderUses(_known, _bodies, _builders).Infer(parameter.OriginalDefinition) : null;

    /// <summary>Returns whether a method leaves a rented buffer in a variable of its caller, or returns the one that was there.</summary>
    internal bool LeavesOfPool(IParameterSymbol? parameter) =>
        parameter is { ContainingSymbol: IMethodSymbol { DeclaringSyntaxReferences: { Length: 1 } sources } }
            ? LeftBuffers.IsPlace(parameter.OriginalDefinition, _known)
                && (Renting.Name(sources[0]) || _returning.Name(sources[0]))
                && LeftIn(parameter) is { IsOfPool: true }
            : parameter is not null && LeftBuffers.LeftByLibrary(parameter) is { IsOfPool: true };

    /// <summary>Returns whether a call returns what it is given to a pool, as far as its source shows at a glance.</summary>
    internal bool MayReturn(IInvocationOperation call)
    {
        if (call.TargetMethod.DeclaringSyntaxReferences.IsEmpty || !MayConcern(call.TargetMethod, _known))
        {
            return false;
        }

        if (ExtensionBlocks.HasReceiver(call.TargetMethod)
            && _known.IsBuffer(call.Instance?.Type)
            && EffectOnReceiver(call.TargetMethod) is { } onReceiver
            && (onReceiver & ParameterEffect.Returns) != 0)
        {
            return true;
        }

        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (argument.Parameter is { } parameter
                && _known.IsBuffer(argument.Value.Type)
                && EffectOf(parameter) is { } effect
                && (effect & ParameterEffect.Returns) != 0)
            {
                return true;
            }
        }

        return false;
    }
}
