using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>What raced owners take their memory from: a pool and a heap with a budget, which show what is lost.</summary>
internal sealed class RaceCompany : IDisposable
{
    internal RaceCompany()
    {
        Pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "composed race", Budget = Budget, Checks = BufferChecks.None });
        Plain = BufferPool<byte>.Create(new BufferPoolOptions { Name = "composed plain race", Checks = BufferChecks.None });
        Heap = new NativeHeap(new NativeHeapOptions { Name = "composed race", Budget = Budget, Checks = BufferChecks.None });
    }

    /// <summary>A heap without a budget, for owners that have one.</summary>
    internal NativeHeap PlainHeap { get; } = new(new NativeHeapOptions { Name = "composed plain race", Checks = BufferChecks.None });

    internal BufferBudget Budget { get; } = new(1 << 24, "races");

    internal BufferPool<byte> Pool { get; }

    internal BufferPool<byte> Plain { get; }

    internal NativeHeap Heap { get; }

    /// <summary>Nothing is in use: what a call took has gone back once.</summary>
    internal void Verify(string race, long races)
    {
        foreach (BufferPool<byte> pool in (BufferPool<byte>[])[Pool, Plain])
        {
            BufferPoolStatistics end = pool.GetStatistics();
            Require.That(
                end.InUseBytes == 0 && end.Rented == end.Returned,
                $"After {races} races of {race}, {end.InUseBytes} bytes of a pool are in use, {end.Returned} of {end.Rented} arrays back.");
            pool.Core.Validate();
        }

        long inHeap = Heap.GetStatistics().InUseBytes + PlainHeap.GetStatistics().InUseBytes;
        Require.That(inHeap == 0, $"After {races} races of {race}, {inHeap} bytes of the heaps are in use.");
        Require.That(
            Budget is { InUse: 0, Waiting: 0 }, $"After {races} races of {race}, {Budget.InUse} bytes are in use, {Budget.Waiting} wait.");
    }

    public void Dispose()
    {
        Heap.Dispose();
        PlainHeap.Dispose();
    }
}
