using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers which parameters buffers were lent through, to unseen code which borrows or keeps them.</summary>
internal sealed class BorrowerTable
{
    private readonly Dictionary<IParameterSymbol, int> _indices = new(SymbolEqualityComparer.Default);

    /// <summary>Returns the bit of a parameter; 0 if there are too many.</summary>
    internal ulong BitOf(IParameterSymbol parameter)
    {
        if (!_indices.TryGetValue(parameter, out int index))
        {
            _indices.Add(parameter, index = _indices.Count);
        }

        return index < 64 ? 1UL << index : 0;
    }
}
