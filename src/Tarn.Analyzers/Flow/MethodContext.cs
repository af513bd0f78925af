using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Holds the data for the analysis of one method: the tables of variables, conditions and resources, and the evidence of its paths.
/// </summary>
internal sealed class MethodContext(
    KnownSymbols known,
    MethodSummaries summaries,
    BufferSlice slice,
    VariableTable variables,
    ConditionTable conditions,
    IOperation code)
{
    private readonly Dictionary<IInvocationOperation, CallFacts> _calls = [];

    internal KnownSymbols Known { get; } = known;

    internal MethodSummaries Summaries { get; } = summaries;

    internal BufferSlice Slice { get; } = slice;

    internal VariableTable Variables { get; } = variables;

    internal ResourceTable Resources { get; } = new();

    internal ConditionTable Conditions { get; } = conditions;

    internal BorrowerTable Borrowers { get; } = new();

    internal Evidence Evidence { get; } = new();

    internal Origins Origins { get; } = new();

    internal Exits Exits { get; } = new();

    internal OutcomeTable Outcomes { get; } = new();

    /// <summary>Returns what is known about a call whatever the path.</summary>
    internal CallFacts FactsOf(IInvocationOperation call)
    {
        if (!_calls.TryGetValue(call, out CallFacts? facts))
        {
            _calls.Add(call, facts = new CallFacts(call, Known, Summaries));
        }

        return facts;
    }

    /// <summary>Gets the source of the method.</summary>
    internal SyntaxNode Syntax { get; } = code.Syntax;

    /// <summary>Gets what the compiler knows about the source; operations of its graph do not have it. Null if it is not known.</summary>
    internal SemanticModel? Model { get; } = code.SemanticModel;
}
