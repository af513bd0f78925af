using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Describes the rented buffers that a method hands out: its result, or elements of the tuple that is its result.</summary>
/// <param name="Elements">A bit for each element that is always rented or null; bit 0 for a result that is no tuple.</param>
/// <param name="MayBeNull">Whether some path hands out nothing.</param>
/// <param name="IsExact">Whether the caller cannot tell the requested length.</param>
internal sealed record RentedResult(ulong Elements, bool MayBeNull, bool IsExact)
{
    /// <summary>Returns the rent that a call is for an element of its result; null if that element is not rented.</summary>
    internal RentCall? RentOf(IInvocationOperation call, int element, KnownSymbols known)
    {
        if ((Elements & (1UL << element)) == 0)
        {
            return null;
        }

        ITypeSymbol? type = RentedResults.ElementsOf(call.TargetMethod.ReturnType).ElementAtOrDefault(element);
        BufferKind kind = type is IArrayTypeSymbol ? BufferKind.Array : known.IsPooled(type) ? BufferKind.Pooled : BufferKind.Owner;
        return type is null ? null : new RentCall(kind, null, IsExact, IsScarce: false) { MayBeNull = MayBeNull };
    }
}
