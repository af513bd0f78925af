namespace Tarn.Torture.Composed;

/// <summary>A kind of owner: how one comes into being in a company, which calls it has, and how it ends.</summary>
/// <param name="Name">The name in a printed program.</param>
/// <param name="Create">Makes one; null where the company refuses it, or has none.</param>
/// <param name="Calls">The calls, each on an owner that has not ended and waits for nothing.</param>
/// <param name="Endings">The endings. Each may come while the owner waits.</param>
internal sealed record OwnerKind(
    string Name, Func<Company, Step, Owner?> Create, IReadOnlyList<OwnerCall> Calls, IReadOnlyList<OwnerCall> Endings);
