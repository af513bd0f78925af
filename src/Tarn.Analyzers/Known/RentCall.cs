using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Describes a call that hands out a buffer.</summary>
/// <param name="Kind">The kind of buffer.</param>
/// <param name="Pool">The pool or heap; null if it cannot be distinguished from others.</param>
/// <param name="IsExact">Whether the buffer is known to have exactly the requested length; buffers of pools may be longer.</param>
/// <param name="IsScarce">Whether only its user can free it: native and shared memory, which no collector frees.</param>
internal sealed record RentCall(BufferKind Kind, PoolIdentity? Pool, bool IsExact, bool IsScarce)
{
    /// <summary>Gets a value indicating whether the method hands out no buffer on some of its paths.</summary>
    internal bool MayBeNull { get; init; }

    /// <summary>Gets a value indicating whether the call starts a task, which hands out the buffer where it is awaited.</summary>
    internal bool IsInTask { get; init; }

    /// <summary>Gets a value indicating whether it is a stream, which the objects created over it dispose.</summary>
    internal bool IsStream { get; init; }

    /// <summary>Gets a value indicating whether it is a builder, which rents only if one of its methods needs an array.</summary>
    internal bool IsBuilder { get; init; }

    /// <summary>Gets a value indicating whether the owner that the call is made on gives its memory away.</summary>
    internal bool TakesFromReceiver { get; init; }

    /// <summary>Gets the requested length, if it is constant.</summary>
    internal int? Requested { get; init; }
}
