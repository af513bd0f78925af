namespace Tarn.Lab.Measurement;

/// <summary>The times of one kind of call, in ticks of the clock.</summary>
internal sealed class CallTimes
{
    /// <summary>The calls during which the thread kept its processor, or waited for something.</summary>
    public LatencyHistogram Kept { get; } = new();

    /// <summary>The calls during which the system gave the processor to another thread.</summary>
    public LatencyHistogram Preempted { get; } = new();

    /// <summary>Returns the times of all calls.</summary>
    public LatencyHistogram All()
    {
        var all = new LatencyHistogram();
        all.Add(Kept);
        all.Add(Preempted);
        return all;
    }

    public void Add(CallTimes other)
    {
        Kept.Add(other.Kept);
        Preempted.Add(other.Preempted);
    }

    public void Clear()
    {
        Kept.Clear();
        Preempted.Clear();
    }
}
