namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that clears freed blocks.</summary>
public sealed class ClearOnFreeContractTests : NativeHeapContract
{
    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { ClearOnFree = true, Checks = BufferChecks.None, Clock = _clock.Trim });
}
