namespace Tarn.Torture.Composed;

/// <summary>A budget of the company beside its model.</summary>
internal sealed record BudgetNode(int Index, BufferBudget Budget, BudgetModel Model)
{
    /// <summary>This one and those above it.</summary>
    internal IEnumerable<BufferBudget> Path
    {
        get
        {
            for (BufferBudget? budget = Budget; budget is not null; budget = budget.Parent)
            {
                yield return budget;
            }
        }
    }

    /// <inheritdoc/>
    public override string ToString() => Budget.Name;
}
