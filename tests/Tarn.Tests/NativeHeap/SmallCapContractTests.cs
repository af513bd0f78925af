namespace Tarn.Tests.NativeHeaps;

/// <summary>A cap of a few blocks, always reached.</summary>
public sealed class SmallCapContractTests : NativeHeapContract
{
    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { MaxRetainedBytes = 64 << 10, Checks = BufferChecks.None, Clock = _clock.Trim });
}
