using Microsoft.CodeAnalysis;
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
    SyntaxNode syntax)
{
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

    /// <summary>Gets the source of the method.</summary>
    internal SyntaxNode Syntax { get; } = syntax;
}
