namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that tells the garbage collector what it holds.</summary>
public sealed class MemoryPressureContractTests : NativeHeapContract
{
    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { AddMemoryPressure = true, Checks = BufferChecks.None, Clock = _clock.Trim });
}
