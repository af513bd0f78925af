namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// The results of one process for one workload with one allocator. Bytes are relative to the memory resident before; negative values mean
/// that the runtime itself returned memory in the meantime.
/// </summary>
internal sealed record WorkloadMeasurement
{
    public required double Nanoseconds { get; init; }

    public required double Operations { get; init; }

    public required double PeakBytes { get; init; }

    /// <summary>Still resident when everything has just been freed.</summary>
    public required double FreedBytes { get; init; }

    /// <summary>The same after the process idled for the requested time; null if it did not idle.</summary>
    public double? IdleBytes { get; init; }

    /// <summary>Managed bytes allocated while the clock ran: threads and nothing else.</summary>
    public required double ManagedBytes { get; init; }

    public required double Collections { get; init; }

    public double NanosecondsPerOperation => Nanoseconds / Operations;

    public IReadOnlyDictionary<string, double> ToValues()
    {
        var values = new Dictionary<string, double>
        {
            [nameof(Nanoseconds)] = Nanoseconds,
            [nameof(Operations)] = Operations,
            [nameof(PeakBytes)] = PeakBytes,
            [nameof(FreedBytes)] = FreedBytes,
            [nameof(ManagedBytes)] = ManagedBytes,
            [nameof(Collections)] = Collections,
        };
        if (IdleBytes is { } idle)
        {
            values[nameof(IdleBytes)] = idle;
        }

        return values;
    }

    /// <exception cref="KeyNotFoundException">A value is missing, because the child is a different program.</exception>
    public static WorkloadMeasurement FromValues(IReadOnlyDictionary<string, double> values) => new()
    {
        Nanoseconds = values[nameof(Nanoseconds)],
        Operations = values[nameof(Operations)],
        PeakBytes = values[nameof(PeakBytes)],
        FreedBytes = values[nameof(FreedBytes)],
        IdleBytes = values.TryGetValue(nameof(IdleBytes), out double idle) ? idle : null,
        ManagedBytes = values[nameof(ManagedBytes)],
        Collections = values[nameof(Collections)],
    };
}
