namespace Tarn.Lab.Workloads.Arrays;

/// <summary>The counters of a mixed load besides time.</summary>
internal interface IMixedLoadTrial
{
    /// <summary>Bytes of the buffers handed out since counting began.</summary>
    long RentedBytes { get; }

    /// <summary>Bytes the process allocated during runs since counting began.</summary>
    long AllocatedBytes { get; }

    /// <summary>The most bytes each renting thread had out at a time, summed over the threads: at least the most in use at once.</summary>
    long PeakInFlightBytes { get; }

    /// <summary>The most the pool retained at the end of a run.</summary>
    long PeakRetainedBytes { get; }

    /// <summary>Rented and allocated bytes count from now on.</summary>
    void BeginCounting();
}
