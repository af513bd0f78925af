namespace Tarn;

/// <content>The budgets of the process.</content>
public sealed partial class BufferBudget
{
    /// <summary>Returns every budget alive in the process, the oldest first, for pages and health checks.</summary>
    /// <returns>The budgets that something still refers to, and some of those that the garbage collector has not looked at yet.</returns>
    public static IReadOnlyList<BufferBudget> List() => BudgetSources.GetAll().ConvertAll(static budget => (BufferBudget)budget);
}
