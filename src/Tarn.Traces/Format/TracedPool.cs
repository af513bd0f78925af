namespace Tarn.Traces;

/// <summary>A pool of a recorded program.</summary>
/// <param name="Source">The event source that reported it.</param>
/// <param name="Id">The pool's id in its events: its hash code.</param>
/// <param name="Element">The element type, from the stacks of its rents; empty if unknown.</param>
public sealed record TracedPool(string Source, int Id, string Element = "")
{
    /// <summary>The name that the program gave it; empty if the pool has none, as those of the BCL.</summary>
    public string Name { get; init; } = "";
}
