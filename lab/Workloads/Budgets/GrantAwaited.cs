using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Budgets;

/// <summary>As <see cref="Grant"/>, by the call that could wait.</summary>
internal readonly struct GrantAwaited(BufferBudget budget) : IWork
{
    public void Once()
    {
        ValueTask taken = budget.TakeAsync(4096);
        if (!taken.IsCompletedSuccessfully)
        {
            throw new InvalidOperationException("A budget that nobody else uses made a request wait.");
        }

        budget.Return(4096);
    }
}
