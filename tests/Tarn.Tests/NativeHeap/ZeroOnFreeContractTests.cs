namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that clears freed blocks.</summary>
public sealed class ZeroOnFreeContractTests : NativeHeapContract
{
    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { ZeroOnFree = true, Checks = BufferChecks.None, Clock = _clock.Trim });
}
