namespace Tarn.TestChild.Owners;

/// <summary>A kind of owner of memory: how a race makes one, and its members.</summary>
/// <param name="Name">Its name in findings.</param>
/// <param name="Create">Makes an owner whose contents are <see cref="OwnerMemory.Own"/>.</param>
/// <param name="Members">What it can do.</param>
internal sealed record RacedOwner(string Name, Func<OwnerMemory, Random, IDisposable> Create, OwnerMember[] Members)
{
    /// <summary>Every owner whose memory goes back with its disposal, but for streams, which have races of their own.</summary>
    internal static RacedOwner[] All { get; } =
        [.. WriterOwners.All, .. SequenceOwners.All, .. LeaseOwners.All, .. SharedOwners.All, .. NativeOwners.All, .. ScopeOwners.All];
}
