using System.Collections.Generic;

namespace Tarn.Analyzers.Calls;

/// <summary>Describes what a method leaves in a variable of its caller that it receives by reference.</summary>
/// <param name="Source">What it puts there; <see cref="BufferSource.Other"/> if it puts nothing there.</param>
/// <param name="IsAlways">Whether it puts something there on every normal path.</param>
/// <param name="ReturnsOld">Whether it returns the buffer that was there, where it puts something else there.</param>
/// <param name="MayBeNull">Whether it may also put null there.</param>
internal sealed record LeftBuffer(BufferSource Source, bool IsAlways, bool ReturnsOld, bool MayBeNull)
{
    /// <summary>
    /// Gets whether the buffer is there for each result of the method, null where that is not known; null if the result does not tell.
    /// </summary>
    internal IReadOnlyDictionary<object, bool?>? Results { get; init; }

    /// <summary>Gets a value indicating whether it hands out or takes back a buffer.</summary>
    internal bool IsOfPool => Source == BufferSource.Rented || ReturnsOld;
}
