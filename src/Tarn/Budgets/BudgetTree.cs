namespace Tarn;

/// <summary>What a budget, its children and theirs share: one lock, which a grant takes once however deep it goes.</summary>
internal sealed class BudgetTree
{
    internal ShortLock Lock;

    /// <summary>The budgets at which requests wait. Under the lock, as the number.</summary>
    internal LinkedQueue<BufferBudget, BufferBudget.InTree> Waited;

    /// <summary>The requests that have waited so far.</summary>
    internal long Requests;
}
