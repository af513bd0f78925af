using Tarn.Torture.Attacks;

namespace Tarn.Torture.Running;

/// <summary>All attacks, in the order of a round.</summary>
internal static class AttackCatalogue
{
    internal static IReadOnlyList<IAttack> All { get; } =
    [
        new PoolAttack(), new HeapAttack(), new StreamAttack(), new FaultAttack(), new RingAttack(), new SharingAttack(),
        new HeaderAttack(), new EventAttack(), new ContextAttack(), new LimitAttack(), new ThreadAttack(), new SizeAttack(),
        new SoakAttack(), new CallerAttack(), new BudgetAttack(), new HolderAttack(),
        new ComposedAttack(),
    ];

    internal static string Names => string.Join(", ", All.Select(static attack => attack.Name));

    /// <summary>The attacks of these names, each once, in the order of a round; all of them for no name.</summary>
    /// <exception cref="RefusedOptionException">There is no attack of a name.</exception>
    internal static IReadOnlyList<IAttack> Select(IReadOnlyCollection<string> names)
    {
        string[] unknown = [.. names.Except(All.Select(static attack => attack.Name))];
        return unknown.Length > 0
            ? throw new RefusedOptionException($"No such attack: {string.Join(", ", unknown)}. There are: {Names}.")
            : [.. All.Where(attack => names.Count == 0 || names.Contains(attack.Name))];
    }
}
