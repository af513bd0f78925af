namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that keeps nothing.</summary>
public sealed class ZeroCapContractTests : NativeHeapContract
{
    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { MaxRetainedBytes = 0, Checks = BufferChecks.None, Clock = _clock.Trim });
}
