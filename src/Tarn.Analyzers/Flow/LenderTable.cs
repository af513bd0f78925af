using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Bits for the places at which a method hands buffers to code that is not seen: it borrows them, or keeps them.</summary>
internal sealed class LenderTable
{
    private readonly Dictionary<SyntaxNode, int> _indices = [];

    /// <summary>The bit of a place; 0 when there are too many.</summary>
    internal ulong BitOf(SyntaxNode place)
    {
        if (!_indices.TryGetValue(place, out int index))
        {
            _indices.Add(place, index = _indices.Count);
        }

        return index < 64 ? 1UL << index : 0;
    }
}
