namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// What one process found out about one workload with one allocator. Bytes are over what was resident right before; negative ones mean that
/// the runtime itself gave memory back meanwhile.
/// </summary>
internal sealed record WorkloadMeasurement
{
    public required double Nanoseconds { get; init; }

    public required double Operations { get; init; }

    public required double PeakBytes { get; init; }

    /// <summary>Still resident when everything has just been freed.</summary>
    public required double FreedBytes { get; init; }

    /// <summary>The same after the process idled for the seconds it was told; null when it was told none.</summary>
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

    /// <exception cref="KeyNotFoundException">A value is missing: the child is another program than this one.</exception>
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
