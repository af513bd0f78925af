namespace Tarn;

/// <summary>What diagnostics need of a pool or heap, whatever it is inside.</summary>
internal interface IBufferSource
{
    /// <summary>Its counters now.</summary>
    BufferSourceSnapshot GetSnapshot();

    /// <summary>
    /// Someone began or stopped to listen to an event for every single rent and return. Called under a lock: waits for nothing.
    /// </summary>
    void OnTracingChanged(bool everyBuffer);
}
