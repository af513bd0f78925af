using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>A call that hands out a buffer.</summary>
/// <param name="Kind">What it hands out.</param>
/// <param name="Pool">Where from: the pool or heap, as far as it can be told from another; null when it cannot.</param>
/// <param name="IsExact">Whether it is just as long as was asked for, as far as is known; pools say that theirs need not be.</param>
/// <param name="IsScarce">Whether nobody but its user gives it back: native and shared memory, which no collector frees.</param>
internal sealed record RentCall(BufferKind Kind, PoolIdentity? Pool, bool IsExact, bool IsScarce)
{
    /// <summary>The length that was asked for, when it is constant.</summary>
    internal int? Requested { get; init; }
}
