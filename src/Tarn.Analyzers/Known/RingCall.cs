namespace Tarn.Analyzers.Known;

/// <summary>Describes a call that begins memory of a writer or a scope, which a later call ends, or that ends it.</summary>
/// <param name="Begins">Whether it begins memory; otherwise it ends what was begun.</param>
internal sealed record RingCall(bool Begins)
{
    /// <summary>Gets a value indicating whether a writer is called, which may grow and so ends all that it has begun before.</summary>
    internal bool Grows { get; init; }
}
