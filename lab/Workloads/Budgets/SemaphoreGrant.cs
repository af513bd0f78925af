using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Budgets;

/// <summary>Takes one permit of a semaphore and returns it: what a program without budgets would use, which counts no bytes.</summary>
internal readonly struct SemaphoreGrant(SemaphoreSlim semaphore) : IWork
{
    public void Once()
    {
        if (semaphore.Wait(0))
        {
            semaphore.Release();
        }
    }
}
