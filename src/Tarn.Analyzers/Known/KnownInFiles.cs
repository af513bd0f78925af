using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Known;

/// <summary>Extends the symbols of a compilation by the options for each file, which are read once a file.</summary>
internal sealed class KnownInFiles(KnownSymbols known)
{
    private readonly ConcurrentDictionary<SyntaxTree, KnownSymbols> _files = [];

    /// <summary>Returns the symbols for the file that some blocks of one member are in.</summary>
    internal KnownSymbols Of(ImmutableArray<IOperation> blocks, AnalyzerOptions options) =>
        _files.GetOrAdd(blocks[0].Syntax.SyntaxTree, file => known.In(file, options));
}
