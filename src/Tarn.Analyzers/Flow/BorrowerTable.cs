using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Bits for the parameters by which a method hands buffers to code that is not seen: it borrows them, or keeps them.</summary>
internal sealed class BorrowerTable
{
    private readonly Dictionary<IParameterSymbol, int> _indices = new(SymbolEqualityComparer.Default);

    /// <summary>The bit of a parameter; 0 when there are too many.</summary>
    internal ulong BitOf(IParameterSymbol parameter)
    {
        if (!_indices.TryGetValue(parameter, out int index))
        {
            _indices.Add(parameter, index = _indices.Count);
        }

        return index < 64 ? 1UL << index : 0;
    }
}
