namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that reports its memory to the garbage collector.</summary>
public sealed class MemoryPressureContractTests : NativeHeapContract
{
    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { AddMemoryPressure = true, Checks = BufferChecks.None, Clock = _clock.Trim });
}
