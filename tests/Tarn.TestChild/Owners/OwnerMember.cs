namespace Tarn.TestChild.Owners;

/// <summary>A member of an owner of memory, as a race calls it.</summary>
/// <param name="Name">Its name in findings.</param>
/// <param name="Call">Calls it, and nothing else that could throw for another reason.</param>
/// <param name="Outlives">Whether a disposed owner has this member too.</param>
internal sealed record OwnerMember(string Name, Action<IDisposable, OwnerMemory> Call, bool Outlives)
{
    internal static OwnerMember Of<TOwner>(string name, Action<TOwner, OwnerMemory> call, bool outlives = false)
        where TOwner : IDisposable => new(name, (owner, memory) => call((TOwner)owner, memory), outlives);
}
