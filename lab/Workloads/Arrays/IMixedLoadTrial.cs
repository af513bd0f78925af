namespace Tarn.Lab.Workloads.Arrays;

/// <summary>What a run of a mixed load counts beside time.</summary>
internal interface IMixedLoadTrial
{
    /// <summary>Bytes of the buffers handed out since counting began.</summary>
    long RentedBytes { get; }

    /// <summary>Bytes the process allocated during runs since counting began.</summary>
    long AllocatedBytes { get; }

    /// <summary>The most each thread that rents had out at a time, of all of them together: at least the most that was in use.</summary>
    long PeakInFlightBytes { get; }

    /// <summary>The most the pool retained at the end of a run.</summary>
    long PeakRetainedBytes { get; }

    /// <summary>Rented and allocated bytes count from now on.</summary>
    void BeginCounting();
}
