using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Sharing;

/// <summary>An atomic increment and decrement: what a reference count without holders takes at least.</summary>
internal readonly struct CounterPair(CounterPair.Counter counter) : IWork
{
    public void Once()
    {
        Interlocked.Increment(ref counter.Value);
        Interlocked.Decrement(ref counter.Value);
    }

    /// <summary>The count.</summary>
    internal sealed class Counter
    {
        public int Value;
    }
}
