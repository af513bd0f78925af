namespace Tarn;

/// <summary>What a budget, its children and theirs share: one lock, which a grant takes once however deep it goes.</summary>
internal sealed class BudgetTree
{
    internal ShortLock Lock;
}
