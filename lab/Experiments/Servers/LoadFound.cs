namespace Tarn.Lab.Experiments.Servers;

/// <summary>What a load generator found.</summary>
/// <param name="RequestsPerSecond">The requests answered a second.</param>
/// <param name="LateNanoseconds">The 99th percentile of the time for a request.</param>
/// <param name="Failures">The requests without an answer, or with another status than 200.</param>
internal readonly record struct LoadFound(double RequestsPerSecond, double LateNanoseconds, long Failures)
{
    /// <summary>The generator's processor time for all requests; NaN where the system does not tell.</summary>
    public double GeneratorNanoseconds { get; init; } = double.NaN;

    public double Nanoseconds => 1e9 / RequestsPerSecond;
}
