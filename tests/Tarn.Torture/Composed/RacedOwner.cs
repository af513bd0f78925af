namespace Tarn.Torture.Composed;

/// <summary>An owner whose member races with its disposal.</summary>
/// <param name="Call">The member. It gives back what it gets.</param>
/// <param name="Dispose">The disposal, which is made twice.</param>
/// <param name="VerifyEnd">What must hold when both are over, beside the budgets; null for nothing.</param>
internal sealed record RacedOwner(Action Call, Action Dispose, Action? VerifyEnd = null);
