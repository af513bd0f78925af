namespace Tarn.Torture.Composed;

/// <summary>A call that a kind of owner has, or a way in which it ends.</summary>
internal sealed record OwnerCall(string Name, Action<Owner, Step> Make)
{
    internal static OwnerCall Of<TOwner>(string name, Action<TOwner, Step> make)
        where TOwner : Owner =>
        new(name, (owner, step) => make((TOwner)owner, step));
}
