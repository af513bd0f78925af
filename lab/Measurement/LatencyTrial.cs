namespace Tarn.Lab.Measurement;

/// <summary>Work whose operations are timed one by one, to find the slow ones.</summary>
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

    /// <summary>Returns the nanoseconds within which a share of the last run's operations finished.</summary>
    public double Percentile(double share) => Clock.Nanoseconds(0, _ticks[(int)Math.Ceiling(share * _ticks.Length) - 1]);

    /// <summary>Does the work once for each element of <paramref name="ticks"/>.</summary>
    protected abstract void Measure(long[] ticks);
}
