namespace Tarn.Lab.Measurement;

/// <summary>Work whose every operation is timed by itself, for its worse cases.</summary>
internal abstract class LatencyTrial(string name) : Trial(name, 1)
{
    private long[] _ticks = [];

    /// <summary>Nanoseconds of all operations together.</summary>
    public override double Run(int iterations)
    {
        _ticks = new long[iterations];
        Measure(_ticks);
        Array.Sort(_ticks);
        return Clock.Nanoseconds(0, _ticks.Sum());
    }

    /// <summary>Of the last run: so many nanoseconds or fewer took the share of the operations.</summary>
    public double Percentile(double share) => Clock.Nanoseconds(0, _ticks[(int)Math.Ceiling(share * _ticks.Length) - 1]);

    /// <summary>Does the work as often as there is room for its ticks.</summary>
    protected abstract void Measure(long[] ticks);
}
