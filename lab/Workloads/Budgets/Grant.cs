using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Budgets;

/// <summary>Takes bytes from a budget that nobody else uses, and returns them.</summary>
internal readonly struct Grant(BufferBudget budget) : IWork
{
    public void Once()
    {
        if (budget.TryTake(4096))
        {
            budget.Return(4096);
        }
    }
}
