namespace Tarn.Lab.Measurement;

/// <summary>One contender ready to be timed: on one thread, on many, or from one thread to another.</summary>
internal abstract class Trial(string name, double operationsPerIteration)
{
    public string Name { get; } = name;

    /// <summary>The number of operations in one iteration. Figures are reported for one operation.</summary>
    public double OperationsPerIteration { get; } = operationsPerIteration;

    /// <summary>Does the work <paramref name="iterations"/> times and returns the nanoseconds it took.</summary>
    public abstract double Run(int iterations);

    public double NanosecondsPerOperation(int iterations) => Run(iterations) / (iterations * OperationsPerIteration);
}
