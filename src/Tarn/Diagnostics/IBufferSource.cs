namespace Tarn.Diagnostics;

/// <summary>What diagnostics need from a pool or heap, whatever its implementation.</summary>
internal interface IBufferSource
{
    /// <summary>Returns the current counters.</summary>
    BufferSourceSnapshot GetSnapshot();

    /// <summary>
    /// Notifies the source that listening to every rent and return began or stopped. Called under a lock, so it must not wait.
    /// </summary>
    void OnTracingChanged(bool everyBuffer);

    /// <summary>Notifies the source that rents are to be sampled, or no longer. Called under a lock, so it must not wait.</summary>
    void OnSamplingChanged(bool isSampled);
}
