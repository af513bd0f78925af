namespace Tarn.Torture.Composed;

/// <summary>A member of a kind of owner that may run beside the disposal.</summary>
/// <param name="Name">The member.</param>
/// <param name="Create">Makes an owner for one race.</param>
/// <param name="EndsByItself">Whether the calls may go on after the disposal.</param>
/// <param name="Waits">Whether the member waits until the disposal ends it.</param>
internal sealed record RacedKind(
    string Name, Func<RaceCompany, RacedOwner> Create, bool EndsByItself = false, bool Waits = false)
{
    /// <inheritdoc/>
    public override string ToString() => Name;
}
